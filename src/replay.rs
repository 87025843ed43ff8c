//! The same rooms, driven by a journal.
