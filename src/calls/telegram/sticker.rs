//! Stickers by meaning: one that was seen in this chat, chosen by its emoji.

use serde_json::json;

use crate::call::{Call, CallError};
use crate::calls::args::Args;
use crate::calls::{Desk, store_error};
use crate::chat::ids::RoomId;
use crate::chat::media::MediaKind;
use crate::store::Look;
use crate::telegram::outbox::ActKind;

/// How many of the chat's last messages are looked through for stickers.
const LOOK_BACK: usize = 2_000;
/// How many emoji an error lists.
const LISTED: usize = 12;

impl Desk {
    /// The newest sticker of this chat with that emoji.
    pub(super) fn sticker(&self, call: &Call) -> Result<(RoomId, ActKind), CallError> {
        let args = Args::of(call);
        let wanted = args.text(0, "emoji")?.trim().replace('\u{fe0f}', "");
        let options = args.options(1, &["replyTo", "quiet"])?;
        let look = Look { query: None, by: None, before: None, limit: LOOK_BACK };
        let circles = &self.house.config.circles;
        let seen = self.house.store.history(&self.reader, circles, self.room, &look).map_err(|e| store_error(&e))?;
        let mut known: Vec<String> = Vec::new();
        for media in seen.iter().rev().flat_map(|message| &message.media).filter(|m| m.kind == MediaKind::Sticker) {
            let Some(file) = &media.file_id else { continue };
            // The emoji stands first; how it moves and its set follow.
            let note = media.note.split(' ').next().unwrap_or_default().replace('\u{fe0f}', "");
            if note.contains(&wanted) {
                let mut body = json!({ "chat_id": self.room.chat.0, "sticker": file,
                    "disable_notification": options.flag("quiet")? });
                if let Some(topic) = self.room.topic {
                    body["message_thread_id"] = json!(topic.0);
                }
                if let Some(message) = options.id("replyTo")? {
                    body["reply_parameters"] = json!({ "message_id": message });
                }
                let says = format!("sent the sticker {note}");
                return Ok((self.room, ActKind::Ask { method: "sendSticker".to_owned(), body, says }));
            }
            if !note.is_empty() && !known.contains(&note) && known.len() < LISTED {
                known.push(note);
            }
        }
        let there = if known.is_empty() {
            "no sticker was seen here yet".to_owned()
        } else {
            format!("there is {}", known.join(" "))
        };
        Err(CallError::new("RangeError", format!("{}: no sticker {wanted} was seen in this chat; {there}", call.path)))
    }
}
