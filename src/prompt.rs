//! What is said to the model. Still parts come first and fresh parts last, so that providers can cache the prefix.

pub mod request;
