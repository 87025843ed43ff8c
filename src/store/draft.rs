//! One write in the making: rows are read through it, so that it sees what it is about to write.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::keys::{self, Key};
use super::{Next, Store, StoreError, parse, row_error};

/// Rows that become visible together, or never.
pub(super) struct Draft<'s> {
    store: &'s Store,
    rows: HashMap<Key, Option<Vec<u8>>>,
    /// Numbers as this draft has moved them.
    pub(super) next: Next,
}

impl<'s> Draft<'s> {
    pub(super) fn new(store: &'s Store, next: Next) -> Self {
        Self { store, rows: HashMap::new(), next }
    }

    /// The store as it is before this draft.
    pub(super) const fn store(&self) -> &'s Store {
        self.store
    }

    /// The bytes of a row as it will be.
    pub(super) fn bytes(&self, key: &[u8]) -> Result<Option<Cow<'_, [u8]>>, StoreError> {
        match self.rows.get(key) {
            Some(row) => Ok(row.as_deref().map(Cow::Borrowed)),
            None => {
                let row = self.store.tree.get(key).map_err(|e| self.store.fault(e))?;
                Ok(row.map(|bytes| Cow::Owned(bytes.to_vec())))
            }
        }
    }

    /// The row as it will be.
    pub(super) fn get<T: DeserializeOwned>(&self, key: &[u8], kind: &'static str) -> Result<Option<T>, StoreError> {
        match self.rows.get(key) {
            Some(Some(bytes)) => parse(key, bytes, kind).map(Some),
            Some(None) => Ok(None),
            None => self.store.get(key, kind),
        }
    }

    /// Whether there will be such a row.
    pub(super) fn has(&self, key: &[u8]) -> Result<bool, StoreError> {
        match self.rows.get(key) {
            Some(row) => Ok(row.is_some()),
            None => self.store.tree.contains_key(key).map_err(|e| self.store.fault(e)),
        }
    }

    pub(super) fn put<T: Serialize>(&mut self, key: Key, row: &T, kind: &'static str) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec(row).map_err(|e| row_error(&key, kind, e.to_string()))?;
        self.rows.insert(key, Some(bytes));
        Ok(())
    }

    pub(super) fn put_bytes(&mut self, key: Key, bytes: Vec<u8>) {
        self.rows.insert(key, Some(bytes));
    }

    /// A row that says all by its key.
    pub(super) fn put_bare(&mut self, key: Key) {
        self.rows.insert(key, Some(Vec::new()));
    }

    pub(super) fn remove(&mut self, key: Key) {
        self.rows.insert(key, None);
    }

    /// Writes it all; returns the numbers as they are now. `before` is what they were.
    pub(super) fn apply(mut self, before: Next) -> Result<Next, StoreError> {
        if self.next != before {
            self.put(keys::next(), &self.next.clone(), "the next free numbers")?;
        }
        if self.rows.is_empty() {
            return Ok(self.next);
        }
        let mut batch = sled::Batch::default();
        // In key order: neighbours share a page, and the same input always writes the same log.
        let mut rows: Vec<_> = self.rows.into_iter().collect();
        rows.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        for (key, row) in rows {
            match row {
                Some(bytes) => batch.insert(key, bytes),
                None => batch.remove(key),
            }
        }
        self.store.tree.apply_batch(batch).map_err(|e| self.store.fault(e))?;
        Ok(self.next)
    }
}
