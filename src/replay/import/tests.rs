//! Imports of small files, real in shape, and of broken ones.

use super::*;
use crate::chat::event::EventKind;
use crate::chat::message::Message;
use crate::chat::person::{ChatKind, Sender};

fn import(text: &str) -> Result<Imported, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.json");
    std::fs::write(&path, text).unwrap();
    read(&path, None).map_err(|e| e.to_string())
}

fn messages(imported: &Imported) -> Vec<&Message> {
    imported.events.iter().filter_map(Event::message).collect()
}

#[test]
fn an_account_gives_each_chat_its_id_and_all_events_by_time() {
    let imported = import(
        r#"{"about":"x","chats":{"about":"y","list":[
        {"name":"g","type":"private_supergroup","id":7,"messages":[
          {"id":2,"type":"message","date_unixtime":"30","from":"A","from_id":"user5","text":"late"},
          {"id":3,"type":"message","date_unixtime":"40","from":"B","from_id":"user6","reply_to_message_id":2,
           "text":["see ",{"type":"mention","text":"@xiaxia_bot"}]}]},
        {"name":null,"type":"personal_chat","id":5,"messages":[
          {"id":1,"type":"message","date_unixtime":"10","from":"A","from_id":"user5","text":"first"},
          {"id":9,"type":"hologram","date_unixtime":"11"}]},
        {"name":"small","type":"private_group","id":8,"messages":[
          {"id":4,"type":"message","date_unixtime":"20","from":"C","from_id":"channel44","text":"","photo":"p.jpg"}]}
        ]}}"#,
    )
    .unwrap();
    let places: Vec<(i64, ChatKind)> = imported.events.iter().map(|e| (e.chat.id.0, e.chat.kind)).collect();
    let group = (-1_000_000_000_007, ChatKind::Supergroup);
    assert_eq!(places, [(5, ChatKind::Private), (-8, ChatKind::Group), group, group]);
    let said = messages(&imported);
    assert_eq!(said[3].text, "see @xiaxia_bot");
    assert_eq!(said[3].mentions.len(), 1);
    let quote = said[3].reply_to.as_ref().unwrap();
    assert_eq!((quote.text.as_str(), quote.from.as_ref()), ("late", Some(&said[2].from)));
    assert!(matches!(&said[1].from, Sender::Chat { id, .. } if id.0 == -1_000_000_000_044));
    assert_eq!(imported.skipped.len(), 1, "{:?}", imported.skipped);
    assert!(imported.skipped[0].contains("message 9") && imported.skipped[0].contains("hologram"));
}

#[test]
fn updates_are_told_by_content_and_a_broken_line_by_its_number() {
    let line = r#"{"update_id":1,"message":{"message_id":3,"date":5,"chat":{"id":-1007,"type":"supergroup","title":"g"},"from":{"id":5,"is_bot":false,"first_name":"A"},"text":"hi"}}"#;
    let imported = import(line).unwrap();
    assert!(matches!(&imported.events[0].kind, EventKind::Said(m) if m.text == "hi"), "{imported:?}");
    let error = import(&format!("{line}\n{{\"update_id\":")).unwrap_err();
    assert!(error.contains("result.json: line 2"), "{error}");
}

#[test]
fn what_cannot_be_read_names_file_place_and_remedy() {
    for (text, place) in
        [("", "line 1"), ("{\"messages\":[\n{\"id\":", "line 2"), ("[]", "line 1"), ("{}", "holds no messages")]
    {
        let error = import(text).unwrap_err();
        assert!(error.contains("result.json"), "{error}");
        assert!(error.contains(place), "{error}");
        assert!(error.contains("expected result.json of a Telegram Desktop export"), "{error}");
    }
    assert!(read(Path::new("nowhere.json"), None).unwrap_err().to_string().contains("nowhere.json"));
}
