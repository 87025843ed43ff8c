//! Service messages: what Telegram itself notes in a chat.

use serde_json::Value;

use super::field::{Fields, one_line};
use super::{Place, content, full_name, profile, sender};
use crate::chat::event::EventKind;
use crate::chat::ids::ChatId;
use crate::chat::person::{Identity, Sender};

/// How much of a pinned message a note repeats, in characters: enough to recognise it.
const PINNED_CHARS: usize = 120;

/// Service fields with the words that a transcript shows after the actor's name. Fields that need their value stand in
/// [`event`].
const NOTES: [(&str, &str); 50] = [
    ("new_chat_photo", "changed the group photo"),
    ("delete_chat_photo", "removed the group photo"),
    ("group_chat_created", "created the group"),
    ("supergroup_chat_created", "created the group"),
    ("channel_chat_created", "created the channel"),
    ("message_auto_delete_timer_changed", "changed the auto-delete timer"),
    ("migrate_from_chat_id", "made the group a supergroup"),
    ("invoice", "posted an invoice"),
    ("successful_payment", "made a payment"),
    ("refunded_payment", "got a payment back"),
    ("users_shared", "shared people with the bot"),
    ("chat_shared", "shared a chat with the bot"),
    ("gift", "sent a gift"),
    ("unique_gift", "sent a unique gift"),
    ("gift_upgrade_sent", "upgraded a gift"),
    ("connected_website", "logged in on a website"),
    ("write_access_allowed", "allowed the bot to write"),
    ("passport_data", "shared passport data"),
    ("proximity_alert_triggered", "came near"),
    ("boost_added", "boosted the group"),
    ("chat_background_set", "changed the background"),
    ("chat_owner_left", "left as the owner"),
    ("chat_owner_changed", "made somebody else the owner"),
    ("checklist_tasks_done", "ticked tasks of a checklist"),
    ("checklist_tasks_added", "added tasks to a checklist"),
    ("community_chat_added", "added the chat to a community"),
    ("community_chat_joined", "joined from a community"),
    ("community_chat_removed", "removed the chat from a community"),
    ("direct_message_price_changed", "changed the price of direct messages"),
    ("forum_topic_closed", "closed the topic"),
    ("forum_topic_reopened", "reopened the topic"),
    ("general_forum_topic_hidden", "hid the General topic"),
    ("general_forum_topic_unhidden", "showed the General topic again"),
    ("giveaway_created", "scheduled a giveaway"),
    ("giveaway", "announced a giveaway"),
    ("giveaway_winners", "announced the winners of a giveaway"),
    ("giveaway_completed", "completed a giveaway"),
    ("managed_bot_created", "created a managed bot"),
    ("paid_message_price_changed", "changed the price of messages"),
    ("poll_option_added", "added an option to a poll"),
    ("poll_option_deleted", "removed an option from a poll"),
    ("suggested_post_approved", "approved a suggested post"),
    ("suggested_post_approval_failed", "could not get a suggested post approved"),
    ("suggested_post_declined", "declined a suggested post"),
    ("suggested_post_paid", "paid for a suggested post"),
    ("suggested_post_refunded", "refunded a suggested post"),
    ("video_chat_scheduled", "scheduled a video chat"),
    ("video_chat_started", "started a video chat"),
    ("video_chat_ended", "ended the video chat"),
    ("web_app_data", "sent data from a web app"),
];

/// The event of a service message; `None` if the message is an ordinary one, an error if it is one that we leave out.
pub(super) fn event(value: &Value, place: &Place, me: &Identity) -> Option<Result<EventKind, &'static str>> {
    let from = sender(value, &place.chat, me);
    let note = |what: &str, words: &str| Some(Ok(EventKind::noted(what, format!("{} {words}", actor(&from)))));
    if let Some(to) = value.int("migrate_to_chat_id") {
        return Some(Ok(EventKind::Migrated { to: ChatId(to) }));
    }
    if value.has("new_chat_members") {
        return Some(joined(value, &from, me));
    }
    if let Some(gone) = value.get("left_chat_member") {
        return Some(match profile(gone) {
            // What we may do from now on is said by `my_chat_member`.
            Some(gone) if gone.id == me.id => {
                Ok(EventKind::noted("left_chat_member", format!("{} took you out of the group", actor(&from))))
            }
            Some(gone) => Ok(EventKind::Left(gone)),
            None => Err("nobody left"),
        });
    }
    if let Some(title) = value.at("new_chat_title").as_str() {
        return note("new_chat_title", &format!("renamed the group to {}", one_line(title)));
    }
    if let Some(pinned) = value.get("pinned_message") {
        let words: String = one_line(&content::words(pinned)).chars().take(PINNED_CHARS).collect();
        let id = pinned.int("message_id").unwrap_or_default();
        return note("pinned_message", format!("pinned message {id}: {words}").trim_end_matches([':', ' ']));
    }
    if let Some(topic) = value.get("forum_topic_created") {
        return note("forum_topic_created", &format!("opened the topic {}", one_line(topic.text("name"))));
    }
    if let Some(topic) = value.get("forum_topic_edited") {
        let words = match topic.text("name") {
            "" => "changed the topic's icon".to_owned(),
            name => format!("renamed the topic to {}", one_line(name)),
        };
        return note("forum_topic_edited", &words);
    }
    if let Some(invited) = value.get("video_chat_participants_invited") {
        let names = names(invited.list("users"));
        return note("video_chat_participants_invited", &format!("invited {names} to the video chat"));
    }
    let (what, words) = NOTES.iter().find(|(key, _)| value.has(key))?;
    note(what, words)
}

fn joined(value: &Value, from: &Sender, me: &Identity) -> Result<EventKind, &'static str> {
    let others: Vec<&Value> =
        value.list("new_chat_members").iter().filter(|user| user.int("id") != Some(me.id.0)).collect();
    match others.as_slice() {
        // What we may do is said by `my_chat_member`.
        [] => Ok(EventKind::noted("new_chat_members", format!("{} brought you into the group", actor(from)))),
        [one] => profile(one).map(EventKind::Joined).ok_or("nobody joined"),
        // One event cannot hold several people; their own first words will introduce them.
        several => {
            let names = names(several.iter().copied());
            Ok(EventKind::noted("new_chat_members", format!("{names} joined")))
        }
    }
}

fn names<'a>(users: impl IntoIterator<Item = &'a Value>) -> String {
    users.into_iter().map(|user| one_line(&full_name(user))).collect::<Vec<_>>().join(", ")
}

fn actor(from: &Sender) -> String {
    match from {
        Sender::Us => "you".to_owned(),
        Sender::Person(_) | Sender::Chat { .. } => one_line(from.name()),
    }
}
