//! A model request in our own words; wire formats are adapters in `llm/`.

use serde::{Deserialize, Serialize};

/// One request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The instructions: still for a whole room.
    pub system: String,
    /// The conversation with the model, oldest first; the first and last are ours.
    pub messages: Vec<Turned>,
    /// The most tokens that the reply may have.
    pub max_tokens: u32,
}

/// One message to or from the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turned {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub parts: Vec<Part>,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The host.
    User,
    /// The model.
    Assistant,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Text.
    Text(String),
    /// A picture as a `data:` URL, for models that can see.
    Image(String),
}

impl Turned {
    /// A text message.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self { role, parts: vec![Part::Text(text.into())] }
    }
}

/// What the model answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The visible text; reasoning fields of the wire format are not in it.
    pub text: String,
    /// What it cost, as the provider counted.
    #[serde(default)]
    pub usage: Usage,
    /// The model that answered.
    #[serde(default)]
    pub model: String,
}

/// Tokens of one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read.
    pub input: u64,
    /// Of these, read from the provider's cache.
    pub cached: u64,
    /// Tokens written.
    pub output: u64,
}
