//! Where the current text of each message stands: an index in blocks of neighbouring message ids.
//!
//! A row of its own for every message would double the writes of the archive; neighbours are filed together, so a block
//! is written once for many of them. A block is a list of entries: the id's low bits (1 byte), topic (8, zero if none)
//! and sequence number (8), in the order of filing.

use super::keys;
use super::{Store, StoreError, draft::Draft};
use crate::chat::ids::{ChatId, MessageId, TopicId};

/// How many ids share a block: more would make each single message heard live rewrite more.
const BLOCK_BITS: u32 = 5;
const ENTRY: usize = 17;

/// The room's topic and the archive number of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) topic: Option<TopicId>,
    pub(super) seq: u64,
}

impl Store {
    /// The topic in which an archived message stands.
    pub fn topic_of(&self, chat: ChatId, message: MessageId) -> Result<Option<TopicId>, StoreError> {
        Ok(self.place(chat, message)?.and_then(|place| place.topic))
    }

    /// Where the current text of a message stands.
    pub(super) fn place(&self, chat: ChatId, message: MessageId) -> Result<Option<Place>, StoreError> {
        let block = self.tree.get(key(chat, message)).map_err(|e| self.fault(e))?;
        Ok(block.and_then(|block| find(&block, message)))
    }
}

impl Draft<'_> {
    /// Where the current text of a message will stand.
    pub(super) fn place(&self, chat: ChatId, message: MessageId) -> Result<Option<Place>, StoreError> {
        Ok(self.bytes(&key(chat, message))?.and_then(|block| find(&block, message)))
    }

    /// Files a message that has no place yet.
    pub(super) fn put_place(&mut self, chat: ChatId, message: MessageId, place: Place) -> Result<(), StoreError> {
        let key = key(chat, message);
        let mut block = self.bytes(&key)?.map(|block| block.to_vec()).unwrap_or_default();
        block.push(low_bits(message));
        block.extend_from_slice(&place.topic.map_or(0, |topic| topic.0).to_be_bytes());
        block.extend_from_slice(&place.seq.to_be_bytes());
        self.put_bytes(key, block);
        Ok(())
    }
}

fn key(chat: ChatId, message: MessageId) -> keys::Key {
    keys::messages(chat, message.0 >> BLOCK_BITS)
}

fn low_bits(message: MessageId) -> u8 {
    (message.0 & ((1 << BLOCK_BITS) - 1)).to_le_bytes()[0]
}

fn find(block: &[u8], message: MessageId) -> Option<Place> {
    let entry = block.chunks_exact(ENTRY).find(|entry| entry.first() == Some(&low_bits(message)))?;
    let topic = i64::from_be_bytes(*entry.get(1..)?.first_chunk()?);
    let seq = u64::from_be_bytes(*entry.last_chunk()?);
    Some(Place { topic: (topic != 0).then_some(TopicId(topic)), seq })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_a_block_and_keep_their_own_places() {
        let entry = |id: i64, topic: i64, seq: u64| {
            let mut bytes = vec![low_bits(MessageId(id))];
            bytes.extend_from_slice(&topic.to_be_bytes());
            bytes.extend_from_slice(&seq.to_be_bytes());
            bytes
        };
        let block = [entry(-1, 0, 7), entry(-32, 5, 8)].concat();
        assert_eq!(key(ChatId(1), MessageId(-1)), key(ChatId(1), MessageId(-32)));
        assert_ne!(key(ChatId(1), MessageId(-1)), key(ChatId(1), MessageId(0)));
        assert_eq!(find(&block, MessageId(-1)), Some(Place { topic: None, seq: 7 }));
        assert_eq!(find(&block, MessageId(-32)), Some(Place { topic: Some(TopicId(5)), seq: 8 }));
        assert_eq!(find(&block, MessageId(-2)), None);
    }
}
