//! Pictures and voice messages: fetched from Telegram, described once by the models that see and hear, and told in words.

use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::http::HeaderMap;
use groupmate::chat::ids::{ChatId, MessageId};
use groupmate::playground::Server;
use serde_json::{Value, json};

use crate::support::{ALICE, BOB, Home, Model, group_of_two, groupmate, js, telegram, until};

/// The first bytes of a JPEG, and some more.
fn picture() -> Vec<u8> {
    [&[0xff, 0xd8, 0xff, 0xe0][..], &[7; 2000]].concat()
}

fn photo(server: &Server, chat: ChatId, file: &str, more: Value) -> MessageId {
    let mut fields =
        json!({"photo": [{"file_id": file, "file_unique_id": format!("u{file}"), "width": 9, "height": 9}]});
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    server.send(chat, ALICE, &fields)
}

fn caption(text: &str) -> Value {
    json!({"caption": text, "caption_entities": [{"type": "mention", "offset": 0, "length": 11}]})
}

fn answers(server: &Server) -> usize {
    server.acts().iter().filter(|act| act.method == "sendMessage").count()
}

async fn replier() -> Model {
    Model::start(|n, p| js(&format!("await telegram.sendText('答{n}', {{ replyTo: {} }})", p.waiting()[0]))).await
}

/// A server that writes recordings down, and what it was sent.
async fn transcriber() -> (String, Arc<Mutex<Vec<(String, Bytes)>>>) {
    let heard: Arc<Mutex<Vec<(String, Bytes)>>> = Arc::default();
    let kept = heard.clone();
    let answer = move |headers: HeaderMap, body: Bytes| async move {
        let kind = headers.get("content-type").unwrap().to_str().unwrap().to_owned();
        kept.lock().unwrap().push((kind, body));
        axum::Json(json!({"text": "明早九点，别迟到"}))
    };
    let app = axum::Router::new().route("/audio/transcriptions", axum::routing::post(answer));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    (url, heard)
}

#[tokio::test]
async fn a_picture_is_described_once_told_in_words_and_replayed_without_bytes_or_models() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    server.add_file("cat", "photos/file_1.jpg", picture());
    let model = replier().await;
    let seer = Model::start(|_, _| "一只橘猫趴在键盘上，\n标签写着“勿扰”。".into()).await;
    let home = Home::new(&server, &model.url, "");
    let text = std::fs::read_to_string(&home.config).unwrap();
    let vision = format!("[models.vision]\nbase_url = \"{}\"\nname = \"seer\"\n", seer.url);
    std::fs::write(&home.config, format!("{text}{vision}")).unwrap();
    let journal = home.folder.path().join("session.jsonl");
    let running = home.run(&["--record", journal.to_str().unwrap()]);
    photo(&server, group, "cat", caption("@xiaxia_bot 这是什么"));
    until("an answer", || answers(&server) == 1).await;
    until("the end of the turn", || home.log().contains("the turn ended")).await;
    // The same bytes again, by another file id as Telegram gives them, and a text after them.
    server.send(group, BOB, &json!({"photo": [{"file_id": "cat", "file_unique_id": "ucat", "width": 9, "height": 9}]}));
    server.say(group, ALICE, "@xiaxia_bot 又来了", None);
    until("a second answer", || answers(&server) == 2).await;
    assert!(running.terminate().success(), "{}", home.log());

    let described = "[photo: “一只橘猫趴在键盘上， 标签写着“勿扰”。”]";
    let first = model.prompt(0);
    assert!(first.last().contains(&format!("{described}: @xiaxia_bot 这是什么")), "{}", first.last());
    assert_eq!(model.prompt(1).last().matches(described).count(), 2, "{}", model.prompt(1).last());
    assert_eq!((seer.asked(), server.downloads()), (1, 1), "once for each file");
    let asked = seer.prompt(0).body;
    let url = asked["messages"][1]["content"][1]["image_url"]["url"].as_str().unwrap().to_owned();
    assert!(url.starts_with("data:image/jpeg;base64,/9j/4A"), "{}", &url[..60]);
    assert_eq!(asked["model"], "seer");

    let recorded = std::fs::read_to_string(&journal).unwrap();
    assert!(recorded.contains("一只橘猫") && !recorded.contains("/9j/4A"), "the words, not the bytes");
    for text in [&recorded, &home.log()] {
        assert!(!text.contains(server.token()) && !text.contains("file_1.jpg"), "no address of a file");
    }
    // Without a model that sees, without Telegram, on another day.
    std::fs::write(&home.config, &text).unwrap();
    drop(server);
    let config = home.config.to_str().unwrap();
    let (code, out, errors) = groupmate(&["replay", journal.to_str().unwrap(), "--config", config], home.folder.path());
    assert_eq!(code, 0, "{out}\n{errors}");
}

#[tokio::test]
async fn voice_is_written_down_what_cannot_be_seen_says_so_and_nothing_of_it_ends_a_turn() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    server.add_file("note", "voice/file_2.oga", [&b"OggS"[..], &[1; 500]].concat());
    server.add_file("big", "photos/file_3.jpg", vec![0xff; (20 << 20) + 1]);
    server.add_file("moving", "stickers/file_4.tgs", vec![0x1f, 0x8b, 8, 0]);
    let model = replier().await;
    let seer = Model::start(|_, _| "!400".into()).await;
    let (url, heard) = transcriber().await;
    let home = Home::new(&server, &model.url, "");
    let text = std::fs::read_to_string(&home.config).unwrap();
    let roles = format!(
        "[models.vision]\nbase_url = \"{}\"\nname = \"seer\"\n[models.transcription]\nbase_url = \"{url}\"\nname = \"ear\"\n",
        seer.url
    );
    std::fs::write(&home.config, format!("{text}{roles}")).unwrap();
    let running = home.run(&[]);
    server.send(group, BOB, &json!({"voice": {"file_id": "note", "file_unique_id": "unote", "duration": 3}}));
    photo(&server, group, "big", json!({}));
    photo(&server, group, "gone", json!({}));
    server.send(
        group,
        BOB,
        &json!({"sticker": {"file_id": "moving", "file_unique_id": "umoving", "emoji": "🎉",
        "set_name": "party", "type": "regular", "width": 9, "height": 9, "is_animated": true, "is_video": false}}),
    );
    server.say(group, ALICE, "@xiaxia_bot 听到了吗", None);
    until("an answer", || answers(&server) == 1).await;
    until("the end of the turn", || home.log().contains("the turn ended")).await;
    server.add_file("plain", "photos/file_5.jpg", picture());
    photo(&server, group, "plain", caption("@xiaxia_bot 看这个"));
    until("a second answer", || answers(&server) == 2).await;
    assert!(running.terminate().success(), "{}", home.log());
    let prompt = model.prompt(0).last().to_owned();
    assert!(prompt.contains("[voice 3 s: “明早九点，别迟到”]"), "{prompt}");
    assert_eq!(prompt.matches("[photo, unseen]").count(), 2, "too big, and gone: {prompt}");
    assert!(prompt.contains("[sticker 🎉"), "{prompt}");
    let prompt = model.prompt(1).last().to_owned();
    assert!(prompt.contains("[photo, unseen]: @xiaxia_bot 看这个"), "the model that sees refused: {prompt}");
    let heard = heard.lock().unwrap();
    let (kind, body) = &heard[0];
    assert!(heard.len() == 1 && kind.starts_with("multipart/form-data; boundary="), "once: {kind}");
    let body = String::from_utf8_lossy(body);
    assert!(body.contains("name=\"model\"\r\n\r\near\r\n") && body.contains("filename=\"audio.ogg\""), "{body}");
    assert!(!home.log().contains(server.token()), "{}", home.log());
    model.assert_sound();
}

#[tokio::test]
async fn without_models_that_see_and_hear_nothing_is_fetched_and_the_prompt_is_honest() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    server.add_file("cat", "photos/file_1.jpg", picture());
    let model = replier().await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.send(group, BOB, &json!({"voice": {"file_id": "note", "file_unique_id": "unote", "duration": 3}}));
    photo(&server, group, "cat", caption("@xiaxia_bot 这是什么"));
    until("an answer", || answers(&server) == 1).await;
    assert!(running.terminate().success(), "{}", home.log());
    let prompt = model.prompt(0).last().to_owned();
    assert!(prompt.contains("[voice 3 s, unheard]") && prompt.contains("[photo, unseen]: @xiaxia_bot"), "{prompt}");
    assert_eq!(server.downloads(), 0);
}
