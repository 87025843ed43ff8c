//! What Telegram's errors mean: for the author of a script in words that say what to do, and for us where nothing is wrong.

use crate::telegram::api::ApiError;

/// Parts of Telegram's errors, in lower case, and what a script reads instead. The first that fits counts.
const WORDS: [(&str, &str); 20] = [
    ("reaction_invalid", "that emoji is no reaction here; take a common one such as 👍 ❤ 😁 🎉 🤔 👀 🔥 😢"),
    ("message to react not found", "there is no such message to react to; use a message number from this chat"),
    (
        "message to edit not found",
        "there is no such message to edit; use the number of a message of yours in this chat",
    ),
    ("message can't be edited", "only your own messages can be edited, and this one is not yours or too old"),
    ("message can't be deleted", "Telegram does not let you delete that message: it is too old, or you lack the right"),
    ("message to forward not found", "there is no such message to forward; use a message number from this chat"),
    ("message to copy not found", "there is no such message to copy; use a message number from this chat"),
    ("message to pin not found", "there is no such message to pin; use a message number from this chat"),
    ("message to unpin not found", "there is no such pinned message"),
    ("message thread not found", "the topic is gone"),
    ("topic_closed", "the topic is closed: nothing can be said in it until somebody opens it again"),
    ("chat not found", "there is no such chat, or you are not in it; use the id of a chat that was shown to you"),
    ("not enough rights", "you lack the right to do that here; an administrator would have to give it to you"),
    ("user_not_participant", "that person is not in this chat"),
    ("participant_id_invalid", "that person is not in this chat"),
    ("user is an administrator", "that person is an administrator here, whom you cannot restrict"),
    ("can't remove chat owner", "that person owns this chat"),
    ("request entity too large", "the file is too big: at most 50 MB can be sent, and 10 MB as a photo"),
    ("file is too big", "the file is too big: at most 50 MB can be sent, and 10 MB as a photo"),
    ("voice_messages_forbidden", "that person takes no voice messages; send text or a file instead"),
];

/// Errors that say that all is as it should be: it reads already so, it is gone already.
const FINE: [&str; 3] = ["message is not modified", "message to delete not found", "topic_not_modified"];

/// An error for the author of a script.
pub(super) fn explain(error: &ApiError) -> String {
    let told = match error {
        ApiError::Refused(why) | ApiError::CannotWrite(why) => why.to_lowercase(),
        ApiError::Unreachable { .. }
        | ApiError::Unauthorized
        | ApiError::Conflict(_)
        | ApiError::RetryAfter(_)
        | ApiError::Migrated(_)
        | ApiError::ReplyGone
        | ApiError::Unclear(_) => return error.to_string(),
    };
    let known = WORDS.iter().find(|(part, _)| told.contains(part));
    known.map_or_else(|| error.to_string(), |(_, words)| (*words).to_owned())
}

/// Whether what was asked for is so, although Telegram refused.
pub(super) fn is_fine(error: &ApiError) -> bool {
    let ApiError::Refused(why) = error else { return false };
    let why = why.to_lowercase();
    FINE.iter().any(|part| why.contains(part))
}
