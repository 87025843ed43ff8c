//! What a message carries besides text. Bytes are fetched elsewhere, by `file_id`.

use serde::{Deserialize, Serialize};

/// One attachment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Media {
    /// What it is.
    pub kind: MediaKind,
    /// The handle to fetch it by, where it has bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_id: Option<String>,
    /// A few words: a sticker's emoji, a file's name, a poll's question, a voice note's seconds.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The name of the bytes that stays the same in every chat and for every bot, unlike `file_id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unique_id: Option<String>,
    /// How many bytes it has, where Telegram told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// What is in it, as a model that sees or hears told; from the store, where it is known by `unique_id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub described: Option<String>,
    /// What Telegram sent, of something that we do not know; cut at [`RAW_BYTES`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
}

/// How much of the raw form of something unknown is kept: enough for every field of real ones, and no more than a
/// message's text may take.
pub const RAW_BYTES: usize = 16 << 10;

impl Media {
    /// An attachment without bytes.
    pub const fn new(kind: MediaKind, note: String) -> Self {
        Self { kind, file_id: None, note, unique_id: None, size: None, described: None, raw: None }
    }

    /// Whether it has bytes that somebody could look at or listen to, and which role does; nothing else is looked at.
    pub const fn sense(&self) -> Option<Sense> {
        if self.file_id.is_none() || self.unique_id.is_none() {
            return None;
        }
        self.kind.sense()
    }
}

/// Kinds of attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaKind {
    /// A picture.
    Photo,
    /// A sticker.
    Sticker,
    /// A voice note.
    Voice,
    /// A round video note.
    VideoNote,
    /// A video.
    Video,
    /// A silent looping clip.
    Animation,
    /// Music.
    Audio,
    /// Any other file.
    Document,
    /// A poll or quiz.
    Poll,
    /// A contact card.
    Contact,
    /// A place or live location.
    Location,
    /// A dice or other animated emoji of chance.
    Dice,
    /// Something that we do not know yet; the note says what Telegram called it.
    Unsupported,
}

/// What it takes to know what is in an attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// To look at it.
    Sight,
    /// To listen to it.
    Hearing,
}

impl MediaKind {
    /// What it takes to know what is in it; none where the note says all, or where no model of ours could tell.
    pub const fn sense(self) -> Option<Sense> {
        match self {
            MediaKind::Photo | MediaKind::Sticker => Some(Sense::Sight),
            MediaKind::Voice | MediaKind::Audio => Some(Sense::Hearing),
            MediaKind::VideoNote
            | MediaKind::Video
            | MediaKind::Animation
            | MediaKind::Document
            | MediaKind::Poll
            | MediaKind::Contact
            | MediaKind::Location
            | MediaKind::Dice
            | MediaKind::Unsupported => None,
        }
    }

    /// What a transcript says of one that nobody looked at or listened to.
    pub const fn unknown(self) -> &'static str {
        match self {
            MediaKind::Photo | MediaKind::Video | MediaKind::Animation => ", unseen",
            MediaKind::Voice | MediaKind::VideoNote | MediaKind::Audio => ", unheard",
            // A sticker's emoji says what it is for; the others are words already.
            MediaKind::Sticker
            | MediaKind::Document
            | MediaKind::Poll
            | MediaKind::Contact
            | MediaKind::Location
            | MediaKind::Dice
            | MediaKind::Unsupported => "",
        }
    }

    /// The word used in transcripts.
    pub const fn word(self) -> &'static str {
        match self {
            MediaKind::Photo => "photo",
            MediaKind::Sticker => "sticker",
            MediaKind::Voice => "voice",
            MediaKind::VideoNote => "video note",
            MediaKind::Video => "video",
            MediaKind::Animation => "animation",
            MediaKind::Audio => "audio",
            MediaKind::Document => "file",
            MediaKind::Poll => "poll",
            MediaKind::Contact => "contact",
            MediaKind::Location => "location",
            MediaKind::Dice => "dice",
            MediaKind::Unsupported => "unsupported message",
        }
    }
}
