//! How rows are named: one byte for the kind, then big-endian numbers, so that the order of bytes is the order of things.
//!
//! | key | row |
//! | --- | --- |
//! | `!s` `!n` `!u` | schema number, next free numbers, last update number |
//! | `e` room seq | an archived event |
//! | `m` chat album | the message under which that album is archived |
//! | `d` unique id | what is in that attachment |
//! | `i` chat block | where the current texts of neighbouring messages stand |
//! | `p` person | a person |
//! | `c` person chat | that person was seen there |
//! | `f` audience subject id | a fact |
//! | `F` id | the audience and subject under which that fact stands |
//! | `k` digest | the standing fact with that audience, subject and text |
//! | `g` chat | the chat that it became |
//! | `h` chat | what people there asked of us: quiet, mute |
//! | `r` room | what was considered, and `ctx` |
//! | `l` room message | a message's mark |
//! | `o` room message | it is owed |
//! | `w` id | a reminder |
//! | `a` act, `z` act | an act, and its end |
//! | `u` act | it has no end yet |
//! | `x` id | a call that waits for an operator's leave |
//! | `y` chat path | an operator allowed that method there for good |
//! | `q` room | why nothing is sent there for now |

use sha2::{Digest, Sha256};

use super::StoreError;
use crate::chat::audience::Audience;
use crate::chat::ids::{ChatId, MessageId, PersonId, RoomId, TopicId};
use crate::memory::fact::{FactId, NewFact, Subject};

/// The bytes of one key.
pub(super) type Key = Vec<u8>;

const NUMBER: usize = 8;
/// A kind byte and a room: chat and topic.
pub(super) const ROOM_PREFIX: usize = 1 + 2 * NUMBER;

/// Flips the sign bit: then unsigned byte order is signed order.
const fn ordered(n: i64) -> [u8; NUMBER] {
    (n.cast_unsigned() ^ (1 << 63)).to_be_bytes()
}

const fn unordered(bytes: [u8; NUMBER]) -> i64 {
    (u64::from_be_bytes(bytes) ^ (1 << 63)).cast_signed()
}

fn key(kind: u8, parts: &[[u8; NUMBER]]) -> Key {
    let mut key = Vec::with_capacity(1 + parts.len() * NUMBER);
    key.push(kind);
    for part in parts {
        key.extend_from_slice(part);
    }
    key
}

/// A topic's part of a key; no topic sorts before all topics, since their ids are positive.
const fn topic(room: RoomId) -> [u8; NUMBER] {
    match room.topic {
        Some(TopicId(id)) => ordered(id),
        None => [0; NUMBER],
    }
}

pub(super) fn schema() -> Key {
    b"!s".to_vec()
}

pub(super) fn next() -> Key {
    b"!n".to_vec()
}

pub(super) fn update() -> Key {
    b"!u".to_vec()
}

pub(super) fn events() -> Key {
    b"e".to_vec()
}

pub(super) fn room_events(room: RoomId) -> Key {
    key(b'e', &[ordered(room.chat.0), topic(room)])
}

pub(super) fn event(room: RoomId, seq: u64) -> Key {
    key(b'e', &[ordered(room.chat.0), topic(room), seq.to_be_bytes()])
}

pub(super) fn described(unique_id: &str) -> Key {
    let mut key = vec![b'd'];
    key.extend_from_slice(unique_id.as_bytes());
    key
}

pub(super) fn album(chat: ChatId, album: &str) -> Key {
    let mut key = key(b'm', &[ordered(chat.0)]);
    key.extend_from_slice(album.as_bytes());
    key
}

pub(super) fn messages(chat: ChatId, block: i64) -> Key {
    key(b'i', &[ordered(chat.0), ordered(block)])
}

pub(super) fn people() -> Key {
    b"p".to_vec()
}

pub(super) fn person(id: PersonId) -> Key {
    key(b'p', &[ordered(id.0)])
}

pub(super) fn seen_in_any(person: PersonId) -> Key {
    key(b'c', &[ordered(person.0)])
}

pub(super) fn seen_in(person: PersonId, chat: ChatId) -> Key {
    key(b'c', &[ordered(person.0), ordered(chat.0)])
}

pub(super) fn facts_for(audience: &Audience) -> Key {
    let mut key = vec![b'f'];
    match audience {
        Audience::Everyone => key.push(b'e'),
        Audience::Us => key.push(b'u'),
        Audience::Chat(chat) => {
            key.push(b'c');
            key.extend_from_slice(&ordered(chat.0));
        }
        Audience::Dm(person) => {
            key.push(b'd');
            key.extend_from_slice(&ordered(person.0));
        }
        // The length stands first, so that no circle's rows lie inside the prefix of another one.
        Audience::Circle(name) => {
            key.push(b'o');
            key.extend_from_slice(&(name.len() as u64).to_be_bytes());
            key.extend_from_slice(name.as_bytes());
        }
    }
    key
}

pub(super) fn facts_about(audience: &Audience, subject: &Subject) -> Key {
    let mut key = facts_for(audience);
    // All of one length, so that no subject lies inside another.
    let (kind, id) = match subject {
        Subject::Person(person) => (b'p', person.0),
        Subject::Chat(chat) => (b'c', chat.0),
        Subject::World => (b'w', 0),
        Subject::Us => (b'u', 0),
    };
    key.push(kind);
    key.extend_from_slice(&ordered(id));
    key
}

pub(super) fn fact(audience: &Audience, subject: &Subject, id: FactId) -> Key {
    let mut key = facts_about(audience, subject);
    key.extend_from_slice(&id.0.to_be_bytes());
    key
}

pub(super) fn facts() -> Key {
    b"f".to_vec()
}

pub(super) fn fact_place(id: FactId) -> Key {
    key(b'F', &[id.0.to_be_bytes()])
}

/// Names the standing fact that says the same about the same subject to the same audience. Spacing, case and closing
/// punctuation do not make another statement.
pub(super) fn statement(told: &NewFact) -> Result<Key, StoreError> {
    let same = serde_json::to_vec(&(&told.audience, &told.subject, normal(&told.text)))
        .map_err(|e| super::row_error(b"k", "a fact's digest", e.to_string()))?;
    let mut key = vec![b'k'];
    key.extend_from_slice(&Sha256::digest(&same)[..16]);
    Ok(key)
}

fn normal(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ").trim_end_matches(['.', '。', '!', '！', '~', '～']).to_owned()
}

pub(super) fn moved(from: ChatId) -> Key {
    key(b'g', &[ordered(from.0)])
}

pub(super) fn chat(chat: ChatId) -> Key {
    key(b'h', &[ordered(chat.0)])
}

pub(super) fn room(room: RoomId) -> Key {
    key(b'r', &[ordered(room.chat.0), topic(room)])
}

/// What is kept for all rooms of a chat.
pub(super) fn rooms_of(chat: ChatId) -> Key {
    key(b'r', &[ordered(chat.0)])
}

pub(super) fn marks(room: RoomId) -> Key {
    key(b'l', &[ordered(room.chat.0), topic(room)])
}

pub(super) fn mark(room: RoomId, message: MessageId) -> Key {
    key(b'l', &[ordered(room.chat.0), topic(room), ordered(message.0)])
}

pub(super) fn all_owed(room: RoomId) -> Key {
    key(b'o', &[ordered(room.chat.0), topic(room)])
}

pub(super) fn owed(room: RoomId, message: MessageId) -> Key {
    key(b'o', &[ordered(room.chat.0), topic(room), ordered(message.0)])
}

pub(super) fn reminders() -> Key {
    b"w".to_vec()
}

pub(super) fn reminder(id: u64) -> Key {
    key(b'w', &[id.to_be_bytes()])
}

pub(super) fn all_parked() -> Key {
    b"x".to_vec()
}

pub(super) fn parked(id: u64) -> Key {
    key(b'x', &[id.to_be_bytes()])
}

pub(super) fn allowed(chat: ChatId, path: &str) -> Key {
    let mut key = key(b'y', &[ordered(chat.0)]);
    key.extend_from_slice(path.as_bytes());
    key
}

pub(super) fn rest(room: RoomId) -> Key {
    key(b'q', &[ordered(room.chat.0), topic(room)])
}

pub(super) fn rests_of(chat: ChatId) -> Key {
    key(b'q', &[ordered(chat.0)])
}

pub(super) fn acts() -> Key {
    b"a".to_vec()
}

pub(super) fn act(id: u64) -> Key {
    key(b'a', &[id.to_be_bytes()])
}

pub(super) fn act_end(id: u64) -> Key {
    key(b'z', &[id.to_be_bytes()])
}

pub(super) fn left_acts() -> Key {
    b"u".to_vec()
}

pub(super) fn left_act(id: u64) -> Key {
    key(b'u', &[id.to_be_bytes()])
}

/// The last number of a key, unsigned (sequence, act, fact).
pub(super) fn last_number(key: &[u8]) -> Option<u64> {
    key.last_chunk::<NUMBER>().map(|bytes| u64::from_be_bytes(*bytes))
}

/// The last number of a key, signed (message, chat).
pub(super) fn last_id(key: &[u8]) -> Option<i64> {
    key.last_chunk::<NUMBER>().map(|bytes| unordered(*bytes))
}

/// The room of a key that begins with a kind and a room.
pub(super) fn room_of(key: &[u8]) -> Option<RoomId> {
    let chat = *key.get(1..)?.first_chunk::<NUMBER>()?;
    let topic = *key.get(1 + NUMBER..)?.first_chunk::<NUMBER>()?;
    let topic = (topic != [0; NUMBER]).then(|| TopicId(unordered(topic)));
    Some(RoomId { chat: ChatId(unordered(chat)), topic })
}

/// The first key behind everything that begins with `prefix`; `None` if nothing can be behind it.
pub(super) fn behind(prefix: &[u8]) -> Option<Key> {
    let last = prefix.iter().rposition(|byte| *byte != u8::MAX)?;
    let mut key = prefix[..=last].to_vec();
    key[last] += 1;
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_order_is_number_order() {
        let ids = [i64::MIN, -1_002_000_000_000, -100, -1, 0, 1, 42, 7_000_000_000, i64::MAX];
        for pair in ids.windows(2) {
            assert!(ordered(pair[0]) < ordered(pair[1]), "{pair:?}");
        }
        for id in ids {
            assert_eq!(unordered(ordered(id)), id);
        }
    }

    #[test]
    fn a_key_names_its_room_and_its_number() {
        for room in [RoomId::whole(ChatId(-100)), RoomId { chat: ChatId(-100), topic: Some(TopicId(3)) }] {
            let key = event(room, 77);
            assert_eq!(room_of(&key), Some(room));
            assert_eq!(last_number(&key), Some(77));
        }
        assert_eq!(last_id(&messages(ChatId(5), -9)), Some(-9));
    }

    #[test]
    fn what_is_behind_a_prefix_is_behind_all_of_it() {
        assert_eq!(behind(b"ab"), Some(b"ac".to_vec()));
        assert_eq!(behind(&[7, 255, 255]), Some(vec![8]));
        assert_eq!(behind(&[255, 255]), None);
    }

    #[test]
    fn no_audience_lies_inside_another() {
        let audiences = [
            Audience::Everyone,
            Audience::Us,
            Audience::Chat(ChatId(-1)),
            Audience::Dm(PersonId(1)),
            Audience::Circle(String::new()),
            Audience::Circle("a".into()),
            Audience::Circle("ab".into()),
        ];
        for a in &audiences {
            for b in &audiences {
                assert!(a == b || !facts_for(a).starts_with(&facts_for(b)), "{a:?} in {b:?}");
            }
        }
    }
}
