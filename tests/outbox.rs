//! The outbox with a real store, over real HTTP: at most once, in order, one chat never waiting for another.

mod errors;
mod typing;

use std::sync::Arc;
use std::time::Duration;

use groupmate::attention::ledger::Mark;
use groupmate::chat::event::{Event, EventKind};
use groupmate::chat::ids::{ChatId, MessageId, PersonId, RoomId};
use groupmate::chat::person::{Chat, ChatKind, Profile, Sender};
use groupmate::clock::Clock;
use groupmate::playground::{Failure, Server, Standing};
use groupmate::store::{ActEnd, Store};
use groupmate::telegram::api::Api;
use groupmate::telegram::outbox::{Act, ActError, ActKind, Acted, Outbox};
use groupmate::time::{Span, Timestamp};

const ANN: PersonId = PersonId(7);
const START: Timestamp = Timestamp(1_700_000_000_000);

struct Scene {
    server: Server,
    outbox: Outbox,
    store: Arc<Store>,
    clock: Clock,
    group: ChatId,
    _folder: tempfile::TempDir,
}

impl Scene {
    async fn new() -> Self {
        let clock = Clock::manual(START);
        let bot = Profile {
            id: PersonId(42),
            name: "小夏".into(),
            username: Some("xiaxia_bot".into()),
            is_bot: true,
            language: None,
        };
        let server = Server::start(bot, clock.clone()).await.unwrap();
        server.check_requests(crate::perceiving::schema::objection);
        server.add_person(ANN, "Ann", None, None);
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(folder.path(), 4 << 20).unwrap());
        let outbox = Outbox::new(Api::new(&server.url(), server.token()), store.clone(), clock.clone());
        let group = server.add_group("寝室");
        Self { server, outbox, store, clock, group, _folder: folder }
    }

    async fn say(&self, text: &str, reply_to: Option<MessageId>) -> Result<Acted, ActError> {
        self.outbox.act(say(self.group, text, reply_to)).await
    }

    fn texts(&self) -> Vec<String> {
        self.server.acts().into_iter().map(|act| act.text).collect()
    }

    fn ends(&self) -> Vec<Option<ActEnd>> {
        self.store.acts().unwrap().into_iter().map(|(_, _, end)| end).collect()
    }
}

fn say(chat: ChatId, text: &str, reply_to: Option<MessageId>) -> Act {
    let kind = ActKind::Text { text: text.into(), reply_to, quote: None, quiet: false, buttons: vec![] };
    Act { room: RoomId::whole(chat), answers: reply_to.into_iter().collect(), kind, typed: None }
}

async fn until(what: impl Fn() -> bool) {
    for _ in 0..1000 {
        if what() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("it never happened");
}

#[tokio::test]
async fn an_act_is_written_down_sent_and_marks_what_it_answers() {
    let s = Scene::new().await;
    let asked = s.server.say(s.group, ANN, "在吗", None);
    let acted = s.say("**在**", Some(asked)).await.unwrap();
    assert_eq!((acted.messages[0].text.as_str(), &acted.messages[0].from), ("在", &Sender::Us));
    let room = RoomId::whole(s.group);
    assert_eq!(s.store.mark(room, asked).unwrap(), Some(Mark::Answered { act: acted.act }));
    let acts = s.store.acts().unwrap();
    assert_eq!(acts.len(), 1);
    assert_eq!(acts[0].1.what, "said \"**在**\"");
    assert_eq!(acts[0].2, Some(ActEnd::Sent { messages: vec![acted.messages[0].id] }));
    assert_eq!(s.server.acts()[0].body["entities"][0]["type"], "bold");

    let kind = ActKind::React { message: asked, emoji: Some("❤️".into()) };
    let reacted = s.outbox.act(Act { room, answers: vec![], kind, typed: None }).await.unwrap();
    assert!(reacted.messages.is_empty());
    assert_eq!(s.texts()[1], "❤", "as Telegram lists it");
    let kind = ActKind::React { message: MessageId(999), emoji: Some("👍".into()) };
    let error = s.outbox.act(Act { room, answers: vec![], kind, typed: None }).await.unwrap_err();
    assert!(error.to_string().contains("no such message"), "{error}");
}

#[tokio::test]
async fn no_answer_means_unknown_and_never_again() {
    let s = Scene::new().await;
    let asked = s.server.say(s.group, ANN, "在吗", None);
    for how in [Failure::Drop, Failure::Status { code: 502, body: "<html>".into() }, Failure::api(500, "Internal")] {
        s.server.fail_next("sendMessage", 1, how);
        let error = s.say("在", Some(asked)).await.unwrap_err();
        assert!(matches!(error, ActError::Unknown { act, .. } if act > 0), "{error:?}");
    }
    assert_eq!(s.texts(), ["在"], "only the dropped one happened, and nothing was repeated");
    assert!(s.ends().iter().all(|end| matches!(end, Some(ActEnd::Unknown { .. }))));
    assert_eq!(s.store.mark(RoomId::whole(s.group), asked).unwrap(), Some(Mark::Unknown { act: 3 }));
}

#[tokio::test]
async fn b5_a_reply_to_a_deleted_message_is_sent_once_without_quote() {
    let s = Scene::new().await;
    let asked = s.server.say(s.group, ANN, "在吗", None);
    s.server.delete(s.group, asked);
    let acted = s.say("在", Some(asked)).await.unwrap();
    assert_eq!(acted.messages[0].reply_to, None);
    assert_eq!(s.server.acts().len(), 1);
}

#[tokio::test]
async fn b6_a_429_holds_up_its_own_chat_only() {
    let s = Scene::new().await;
    let other = s.server.add_group("other");
    s.server.fail_next("sendMessage", 1, Failure::Retry(37));
    let waiting: Vec<_> = ["first", "second"]
        .map(|text| {
            let (outbox, act) = (s.outbox.clone(), say(s.group, text, None));
            tokio::spawn(async move { outbox.act(act).await })
        })
        .into();
    until(|| !s.ends().is_empty() && s.ends()[0].is_some()).await;
    assert!(matches!(s.ends()[0], Some(ActEnd::Refused { .. })), "waiting is not unknown: a crash now may send again");
    s.outbox.act(say(other, "meanwhile", None)).await.unwrap();
    assert_eq!(s.texts(), ["meanwhile"]);
    s.clock.advance_to(START + Span::secs(36));
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(s.texts(), ["meanwhile"], "one second too early");
    s.clock.advance_to(START + Span::secs(37));
    for task in waiting {
        task.await.unwrap().unwrap();
    }
    assert_eq!(s.texts(), ["meanwhile", "first", "second"]);
}

#[tokio::test]
async fn a_wait_that_is_too_long_is_refused_at_once_and_remembered() {
    let s = Scene::new().await;
    s.server.fail_next("sendMessage", 1, Failure::Retry(3600));
    for _ in 0..2 {
        let error = s.say("x", None).await.unwrap_err();
        assert!(matches!(&error, ActError::Refused(why) if why.contains("3600 s")), "{error}");
    }
    assert_eq!(s.ends().len(), 1, "the second was not even tried");
    s.clock.advance_to(START + Span::secs(3600));
    s.say("x", None).await.unwrap();
}

#[tokio::test]
async fn a4_the_pending_send_goes_to_the_new_id_and_so_do_later_ones() {
    let s = Scene::new().await;
    let asked = s.server.say(s.group, ANN, "在吗", None);
    let new = s.server.migrate(s.group);
    let acted = s.say("在", Some(asked)).await.unwrap();
    assert_eq!(acted.messages[0].reply_to, None, "the new chat numbers its messages anew");
    s.say("又", Some(asked)).await.unwrap();
    let kind = ActKind::React { message: asked, emoji: Some("👍".into()) };
    let error =
        s.outbox.act(Act { room: RoomId::whole(s.group), answers: vec![], kind, typed: None }).await.unwrap_err();
    assert!(error.to_string().contains(&new.to_string()), "the number would be another message's: {error}");
    assert_eq!((acted.moved_to, s.store.mark(RoomId::whole(s.group), asked).unwrap().is_some()), (Some(new), true));
    // One that comes back after a restart knows, from the store, what the update said.
    s.store.moved(s.group, new).unwrap();
    let again = Outbox::new(Api::new(&s.server.url(), s.server.token()), s.store.clone(), s.clock.clone());
    s.server.set_standing(new, Standing::Out, ANN);
    assert!(again.act(say(s.group, "x", None)).await.is_err());
    let why = s.store.rests(RoomId::whole(new)).unwrap().unwrap();
    assert!(why.starts_with("Forbidden") && s.store.rests(RoomId::whole(s.group)).unwrap().is_none(), "{why}");
    let seen: Vec<(ChatId, String)> = s.server.acts().into_iter().map(|act| (act.chat, act.text)).collect();
    assert_eq!(seen, [(new, "在".into()), (new, "又".into())]);
}

#[tokio::test]
async fn b1_long_texts_go_out_in_order_and_only_the_first_part_replies() {
    let s = Scene::new().await;
    let asked = s.server.say(s.group, ANN, "讲个故事", None);
    let story = "很久很久以前，有一个人。".repeat(500);
    let acted = s.say(&story, Some(asked)).await.unwrap();
    let acts = s.server.acts();
    assert_eq!(acts.len(), 2);
    assert_eq!(acts.iter().map(|act| act.reply_to).collect::<Vec<_>>(), [Some(asked), None]);
    assert_eq!(s.texts().concat(), story);
    assert_eq!(acted.messages.len(), 2);
    assert_eq!(s.ends().len(), 1, "one act");

    let error = s.say(&"话。".repeat(40_000), None).await.unwrap_err();
    assert!(matches!(error, ActError::Refused(_)), "a flood");
}

#[tokio::test]
async fn a_part_that_fails_leaves_the_earlier_ones_sent() {
    let s = Scene::new().await;
    let asked = s.server.say(s.group, ANN, "讲个故事", None);
    s.server.fail_next("sendMessage", 1, Failure::Pass);
    s.server.fail_next("sendMessage", 1, Failure::api(403, "Forbidden: bot was kicked"));
    let acted = s.say(&"很久很久以前，有一个人。".repeat(500), Some(asked)).await.unwrap();
    assert_eq!(acted.messages.len(), 1);
    assert!(acted.unsent.unwrap().contains("kicked"));
    assert!(matches!(s.store.mark(RoomId::whole(s.group), asked).unwrap(), Some(Mark::Answered { .. })));
}

#[tokio::test]
async fn b8_nothing_visible_is_not_sent() {
    let s = Scene::new().await;
    for text in ["", "  \n", "<think>hm", "\u{0}"] {
        assert!(matches!(s.say(text, None).await, Err(ActError::Refused(_))), "{text:?}");
    }
    assert!(s.ends().is_empty());
}

#[tokio::test]
async fn refusals_leave_the_message_owed() {
    let s = Scene::new().await;
    let asked = s.server.say(s.group, ANN, "在吗", None);
    s.server.fail_next("sendMessage", 1, Failure::api(403, "Forbidden: bot was kicked from the supergroup chat"));
    let error = s.say("在", Some(asked)).await.unwrap_err();
    assert!(error.to_string().contains("administrator"), "{error}");
    assert_eq!(s.store.mark(RoomId::whole(s.group), asked).unwrap(), None);
}

#[tokio::test]
async fn an_act_begun_is_finished_although_its_caller_is_gone() {
    let s = Scene::new().await;
    s.server.fail_next("sendMessage", 1, Failure::Retry(5));
    let abandoned = tokio::time::timeout(Duration::from_millis(200), s.say("在", None)).await;
    assert!(abandoned.is_err());
    s.clock.advance_to(START + Span::secs(5));
    until(|| matches!(s.ends().last(), Some(Some(ActEnd::Sent { .. })))).await;
    assert_eq!(s.texts(), ["在"]);
}

#[tokio::test]
async fn acts_of_a_chat_keep_the_order_in_which_they_were_asked_for() {
    let s = Scene::new().await;
    let numbers: Vec<String> = (0..20).map(|n| n.to_string()).collect();
    let all = numbers.iter().map(|n| s.say(n, None));
    for result in futures_util::future::join_all(all).await {
        result.unwrap();
    }
    assert_eq!(s.texts(), numbers);
}

#[tokio::test]
async fn an_edit_that_changes_nothing_is_fine_and_only_our_own_messages_can_be_edited() {
    let s = Scene::new().await;
    let theirs = s.server.say(s.group, ANN, "在吗", None);
    let ours = s.say("五点", None).await.unwrap().messages[0].id;
    let edit = |message, text: &str| Act {
        room: RoomId::whole(s.group),
        answers: vec![],
        typed: None,
        kind: ActKind::Edit { message, text: Some(text.into()), buttons: vec![] },
    };
    let edited = s.outbox.act(edit(ours, "**六点**")).await.unwrap();
    assert_eq!((edited.messages[0].id, edited.messages[0].text.as_str()), (ours, "六点"));
    let again = s.outbox.act(edit(ours, "六点")).await.unwrap();
    assert!(again.messages.is_empty(), "message is not modified");
    let rows = [(theirs, "your own messages"), (MessageId(999), "no such message to edit")];
    for (message, part) in rows {
        let error = s.outbox.act(edit(message, "七点")).await.unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
    let error = s.outbox.act(edit(ours, &"长。".repeat(3000))).await.unwrap_err();
    assert!(error.to_string().contains("an edit fills one"), "{error}");
    assert_eq!(s.texts(), ["五点", "六点"]);
}

#[tokio::test]
async fn a_place_where_we_may_not_write_rests_across_a_restart_until_we_may_again() {
    let s = Scene::new().await;
    let topic = s.server.add_topic(s.group, "出行");
    let in_topic = |text: &str| Act { room: RoomId { chat: s.group, topic: Some(topic) }, ..say(s.group, text, None) };
    let noticed = |kind: EventKind, topic| Event {
        chat: Chat { id: s.group, kind: ChatKind::Supergroup, title: String::new() },
        topic,
        time: START,
        kind,
    };
    s.server.fail_next("sendMessage", 1, Failure::api(400, "Bad Request: TOPIC_CLOSED"));
    assert!(s.outbox.act(in_topic("a")).await.is_err());
    let error = s.outbox.act(in_topic("b")).await.unwrap_err();
    assert!(error.to_string().contains("rests"), "{error}");
    s.say("General goes on", None).await.unwrap();
    let reopened = EventKind::noted("forum_topic_reopened", "");
    s.store.archive(&[noticed(reopened, Some(topic))], None).unwrap();
    s.outbox.act(in_topic("c")).await.unwrap();

    s.server.set_standing(s.group, Standing::Out, ANN);
    assert!(s.say("d", None).await.is_err());
    s.server.set_standing(s.group, Standing::Member, ANN);
    let again = Outbox::new(Api::new(&s.server.url(), s.server.token()), s.store.clone(), s.clock.clone());
    let error = again.act(in_topic("e")).await.unwrap_err();
    assert!(error.to_string().contains("not a member"), "a new outbox knows, and topics rest with their chat: {error}");
    s.store
        .archive(&[noticed(EventKind::Standing { may_speak: true, by: None, now: String::new() }, None)], None)
        .unwrap();
    again.act(in_topic("f")).await.unwrap();
    assert_eq!(s.texts(), ["General goes on", "c", "f"]);
}

#[tokio::test]
async fn a_paced_group_gets_one_a_second_and_twenty_a_minute_and_others_do_not_wait_for_it() {
    let s = Scene::new().await;
    let outbox = Outbox::paced(Api::new(&s.server.url(), s.server.token()), s.store.clone(), s.clock.clone());
    let tasks: Vec<_> = (0..21)
        .map(|n| {
            let (outbox, act) = (outbox.clone(), say(s.group, &n.to_string(), None));
            tokio::spawn(async move { outbox.act(act).await })
        })
        .collect();
    for n in 1..=20 {
        until(|| s.server.acts().len() == n).await;
        assert_eq!(s.ends().len(), n, "what waits for its pace has no row that a crash would make unknown");
        s.clock.advance_to(START + Span::secs(i64::try_from(n).unwrap()));
    }
    let other = s.server.add_group("other");
    outbox.act(say(other, "meanwhile", None)).await.unwrap();
    assert_eq!(s.server.acts().len(), 21, "the twenty-first waits for its minute, the other group does not");
    s.clock.advance_to(START + Span::secs(60));
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    let mut texts = s.texts();
    assert_eq!(texts.remove(20), "meanwhile");
    assert_eq!(texts, (0..21).map(|n| n.to_string()).collect::<Vec<_>>(), "in order");
    let times: Vec<_> = s.server.acts().iter().map(|act| act.at.since(START).0 / 1000).collect();
    assert_eq!((times[0], times[1], times[19], times[21]), (0, 1, 19, 60));
}

#[tokio::test]
async fn a_server_that_is_down_is_tried_and_then_certainly_nothing_happened() {
    let s = Scene::new().await;
    let asked = MessageId(5);
    let Scene { server, outbox, store, group, .. } = &s;
    let act = say(*group, "在", Some(asked));
    // The port is closed for good: another server would get another one.
    let dead = Outbox::new(Api::new("http://127.0.0.1:9", server.token()), store.clone(), s.clock.clone());
    let error = dead.act(act.clone()).await.unwrap_err();
    assert!(matches!(&error, ActError::Refused(why) if why.contains("cannot reach")), "{error:?}");
    assert_eq!(store.mark(RoomId::whole(*group), asked).unwrap(), None);
    assert!(!error.to_string().contains(server.token()));
    drop(outbox.clone());
}
