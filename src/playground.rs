//! An embedded Telegram Bot API server.
