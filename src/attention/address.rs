//! Whether a message is meant for us.
