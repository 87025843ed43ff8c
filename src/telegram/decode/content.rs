//! What a message says and carries.

use serde_json::Value;

use super::field::{Fields, covered, one_line};
use super::unsupported::raw;
use super::{full_name, origin, title};
use crate::chat::ids::PersonId;
use crate::chat::media::{Media, MediaKind};
use crate::chat::message::{Command, Link, Mention};

/// Fields of a `Message` that are not its content. A field that is in neither list nor read below is content that we
/// do not know yet, and the transcript says its name.
const META: [&str; 43] = [
    "message_id",
    "message_thread_id",
    "direct_messages_topic",
    "from",
    "sender_chat",
    "sender_boost_count",
    "sender_business_bot",
    "sender_tag",
    "receiver_user",
    "date",
    "guest_query_id",
    "business_connection_id",
    "chat",
    "forward_origin",
    "is_topic_message",
    "is_automatic_forward",
    "reply_to_message",
    "external_reply",
    "quote",
    "reply_to_story",
    "reply_to_checklist_task_id",
    "reply_to_poll_option_id",
    "via_bot",
    "guest_bot_caller_user",
    "guest_bot_caller_chat",
    "edit_date",
    "has_protected_content",
    "is_from_offline",
    "is_paid_post",
    "media_group_id",
    "author_signature",
    "paid_star_count",
    "text",
    "entities",
    "link_preview_options",
    "suggested_post_info",
    "effect_id",
    "caption",
    "caption_entities",
    "show_caption_above_media",
    "has_media_spoiler",
    "reply_markup",
    "ephemeral_message_id",
];
/// How deep a rich text is read: real ones nest a handful of levels.
const RICH_DEPTH: usize = 24;
/// How many hidden addresses of one text are kept, as many as Telegram keeps entities.
const LINKS: usize = 100;

/// What a message says and carries.
#[derive(Default)]
pub(super) struct Content {
    pub(super) text: String,
    pub(super) mentions: Vec<Mention>,
    pub(super) command: Option<Command>,
    pub(super) media: Vec<Media>,
    pub(super) links: Vec<Link>,
}

/// Reads a message's content. A message without any that we know carries one [`MediaKind::Unsupported`].
pub(super) fn of(value: &Value) -> Content {
    let text = words(value);
    let entities = if value.has("text") { value.list("entities") } else { value.list("caption_entities") };
    let mut media: Vec<Media> = attachment(value).into_iter().collect();
    if let Some(external) = value.get("external_reply") {
        media.push(elsewhere(external, value.at("quote").text("text")));
    } else if let Some(story) = value.get("reply_to_story") {
        media.push(unsupported(format!("reply to a story of {}", one_line(&title(story.at("chat"))))));
    }
    if text.is_empty() && media.is_empty() {
        media.push(Media { raw: Some(raw(value)), ..unsupported(unknown(value)) });
    }
    let links = links(&text, entities, value.at("link_preview_options"));
    Content { mentions: mentions(&text, entities), command: command(&text, entities), text, media, links }
}

/// Text, caption, or the plain words of a rich message.
pub(super) fn words(value: &Value) -> String {
    if let Some(text) = value.at("text").as_str().or_else(|| value.at("caption").as_str()) {
        return text.to_owned();
    }
    let mut words = String::new();
    if let Some(rich) = value.get("rich_message") {
        gather(rich, RICH_DEPTH, &mut words);
    }
    words.trim().to_owned()
}

/// Collects the readable strings of a rich message: texts of blocks, list items, cells and captions.
fn gather(value: &Value, depth: usize, into: &mut String) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match value {
        Value::String(text) => into.push_str(text),
        Value::Array(parts) => parts.iter().for_each(|part| gather(part, depth, into)),
        Value::Object(fields) => {
            for (key, inner) in fields {
                let readable = matches!(
                    key.as_str(),
                    "text" | "blocks" | "items" | "cells" | "rows" | "caption" | "title" | "summary" | "content"
                );
                if readable {
                    gather(inner, depth, into);
                }
            }
            // A block ends its line; runs of formatted text inside a paragraph do not.
            let is_block = matches!(
                value.text("type"),
                "paragraph" | "section_heading" | "preformatted" | "footer" | "block_quotation" | "pull_quotation"
            );
            if is_block && !into.ends_with('\n') {
                into.push('\n');
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn mentions(text: &str, entities: &[Value]) -> Vec<Mention> {
    let mention = |entity: &Value| match entity.text("type") {
        "mention" => covered(text, entity.int("offset")?, entity.int("length")?)?
            .strip_prefix('@')
            .map(|name| Mention::Username(name.to_owned())),
        "text_mention" => entity.at("user").int("id").map(|id| Mention::Person(PersonId(id))),
        _ => None,
    };
    entities.iter().filter_map(mention).collect()
}

/// Addresses behind words, and the one that is previewed, where the text does not show them.
fn links(text: &str, entities: &[Value], preview: &Value) -> Vec<Link> {
    let linked = entities.iter().filter(|entity| entity.text("type") == "text_link").filter_map(|entity| {
        let words = covered(text, entity.int("offset")?, entity.int("length")?)?;
        Some(Link { words: words.to_owned(), url: entity.at("url").as_str()?.to_owned() })
    });
    let mut links: Vec<Link> = linked.take(LINKS).collect();
    let previewed = preview.text("url");
    let is_shown = previewed.is_empty() || text.contains(previewed) || links.iter().any(|link| link.url == previewed);
    if !is_shown && !preview.flag("is_disabled") {
        links.push(Link { words: String::new(), url: previewed.to_owned() });
    }
    links
}

fn command(text: &str, entities: &[Value]) -> Option<Command> {
    let entity = entities.iter().find(|e| e.text("type") == "bot_command" && e.int("offset") == Some(0))?;
    let whole = covered(text, 0, entity.int("length")?)?;
    let written = whole.strip_prefix('/')?;
    let (name, to) = match written.split_once('@') {
        Some((name, to)) => (name, Some(to.to_owned())),
        None => (written, None),
    };
    let args = text.get(whole.len()..).unwrap_or_default().trim().to_owned();
    Some(Command { name: name.to_lowercase(), to, args })
}

fn attachment(value: &Value) -> Option<Media> {
    let media = |kind, key: &str, note: String| file(kind, value.at(key), note);
    let seconds = |key: &str| value.at(key).int("duration").map(|n| format!("{n} s")).unwrap_or_default();
    let joined = |parts: [&str; 2]| parts.iter().filter(|p| !p.is_empty()).copied().collect::<Vec<_>>().join(" – ");

    // Animations and live photos repeat themselves under an older name for old clients, so the newer name is first.
    let found = if let Some(live) = value.get("live_photo") {
        let still = live.list("photo").last().or_else(|| value.list("photo").last());
        file(MediaKind::Photo, still.filter(|still| still.has("file_id")).unwrap_or(live), "live".to_owned())
    } else if value.has("animation") {
        media(MediaKind::Animation, "animation", value.at("animation").text("file_name").to_owned())
    } else if value.has("photo") {
        // Sizes come smallest first.
        file(MediaKind::Photo, value.list("photo").last().unwrap_or(&Value::Null), String::new())
    } else if value.has("sticker") {
        media(MediaKind::Sticker, "sticker", sticker(value.at("sticker")))
    } else if value.has("voice") {
        media(MediaKind::Voice, "voice", seconds("voice"))
    } else if value.has("video_note") {
        media(MediaKind::VideoNote, "video_note", seconds("video_note"))
    } else if value.has("video") {
        media(MediaKind::Video, "video", seconds("video"))
    } else if let Some(audio) = value.get("audio") {
        media(MediaKind::Audio, "audio", joined([audio.text("performer"), audio.text("title")]))
    } else if value.has("document") {
        media(MediaKind::Document, "document", value.at("document").text("file_name").to_owned())
    } else if let Some(poll) = value.get("poll") {
        let options: Vec<&str> = poll.list("options").iter().map(|option| option.text("text")).collect();
        media(MediaKind::Poll, "poll", format!("{} ({})", poll.text("question"), options.join(" / ")))
    } else if let Some(contact) = value.get("contact") {
        media(MediaKind::Contact, "contact", joined([&full_name(contact), contact.text("phone_number")]))
    } else if let Some(venue) = value.get("venue") {
        media(MediaKind::Location, "venue", joined([venue.text("title"), venue.text("address")]))
    } else if let Some(place) = value.get("location") {
        let axis = |key: &str| place.at(key).as_f64().unwrap_or_default();
        media(MediaKind::Location, "location", format!("{}, {}", axis("latitude"), axis("longitude")))
    } else if let Some(dice) = value.get("dice") {
        let shown = dice.int("value").map(|n| n.to_string()).unwrap_or_default();
        media(MediaKind::Dice, "dice", format!("{} {shown}", dice.text("emoji")))
    } else if let Some(list) = value.get("checklist") {
        let tasks: Vec<&str> = list.list("tasks").iter().map(|task| task.text("text")).collect();
        unsupported(format!("checklist {}: {}", list.text("title"), tasks.join(" / ")))
    } else if let Some(game) = value.get("game") {
        unsupported(format!("game {}", game.text("title")))
    } else if let Some(story) = value.get("story") {
        unsupported(format!("story of {}", title(story.at("chat"))))
    } else if value.has("paid_media") {
        unsupported("paid media".to_owned())
    } else {
        return None;
    };
    Some(found)
}

/// An attachment that Telegram keeps as a file.
fn file(kind: MediaKind, value: &Value, note: String) -> Media {
    let some = |key: &str| value.at(key).as_str().map(str::to_owned);
    let size = value.at("file_size").as_u64();
    Media { file_id: some("file_id"), unique_id: some("file_unique_id"), size, ..Media::new(kind, note) }
}

/// Emoji first, because a sticker is chosen by it; then how it moves, and its set.
fn sticker(value: &Value) -> String {
    let moves = match (value.flag("is_animated"), value.flag("is_video")) {
        (true, _) => "animated",
        (_, true) => "video",
        (false, false) => "",
    };
    let set = match value.text("set_name") {
        "" => String::new(),
        name => format!("of {}", one_line(name)),
    };
    [value.text("emoji"), moves, set.as_str()]
        .iter()
        .filter(|part| !part.is_empty())
        .copied()
        .collect::<Vec<_>>()
        .join(" ")
}

/// A reply to a message of another chat or topic. Its number means nothing here, so it is told in words.
fn elsewhere(external: &Value, quoted: &str) -> Media {
    let whose = one_line(&origin(external.at("origin")));
    let what = one_line(quoted);
    unsupported(match what.is_empty() {
        true => format!("reply to a message of {whose} elsewhere"),
        false => format!("reply to a message of {whose} elsewhere: {what}"),
    })
}

fn unsupported(note: String) -> Media {
    Media::new(MediaKind::Unsupported, note)
}

/// What Telegram calls the content that we do not know.
fn unknown(value: &Value) -> String {
    let unknown = value.as_object().and_then(|fields| fields.keys().find(|key| !META.contains(&key.as_str())));
    unknown.map_or_else(|| "empty".to_owned(), |key| one_line(key))
}
