//! Telegram: updates to events, acts to requests.
