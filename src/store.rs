//! The store: one sled folder, its keys, its schema number.
