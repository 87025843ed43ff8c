//! Looking around in this chat: what it is, who administers it, one member. Questions to Telegram, no acts.

use serde_json::{Map, Value, json};

use crate::call::{Call, CallError, Outcome, Settled};
use crate::calls::args::Args;
use crate::calls::{Desk, settled};
use crate::journal::{Key, Kind};

/// What of a chat a script sees.
const CHAT: [&str; 8] =
    ["id", "type", "title", "username", "description", "is_forum", "slow_mode_delay", "permissions"];
/// What of a member a script sees.
const MEMBER: [&str; 4] = ["status", "custom_title", "is_anonymous", "until_date"];

impl Desk {
    /// `None` if the path is no look-up.
    pub(super) async fn look(&self, n: u64, call: &Call) -> Option<Settled> {
        let args = Args::of(call);
        let chat = self.room.chat.0;
        let (method, body) = match call.path.as_str() {
            "telegram.chat" => ("getChat", json!({ "chat_id": chat })),
            "telegram.administrators" => ("getChatAdministrators", json!({ "chat_id": chat })),
            "telegram.member" => match args.id(0, "person") {
                Ok(person) => ("getChatMember", json!({ "chat_id": chat, "user_id": person })),
                Err(error) => return Some(settled(call, Outcome::Failed(error), false, String::new())),
            },
            _ => return None,
        };
        let live = async {
            match &self.house.hands {
                Some(hands) => hands.api.ask_raw(method, &body, || ()).await.map_err(|error| error.to_string()),
                None => Err("there is no Telegram here".to_owned()),
            }
        };
        let key = Key::of(self.room, Kind::Acted).number(n);
        let outcome = match self.house.tape.outside(key, &json!({ "look": method, "body": body }), live).await.answer {
            Ok(answer) => Outcome::Done(shown(method, &answer)),
            Err(why) => Outcome::Failed(CallError::new("TelegramError", format!("{}: {why}", call.path))),
        };
        Some(settled(call, outcome, false, String::new()))
    }
}

fn shown(method: &str, answer: &Value) -> Value {
    match (method, answer) {
        ("getChat", chat) => Value::Object(only(chat, &CHAT)),
        ("getChatAdministrators", Value::Array(members)) => members.iter().map(member).collect(),
        (_, one) => member(one),
    }
}

fn member(value: &Value) -> Value {
    let mut shown = only(value, &MEMBER);
    if let Some(user) = value.get("user") {
        let name = |key: &str| user.get(key).and_then(Value::as_str).unwrap_or_default();
        shown.insert("id".to_owned(), user.get("id").cloned().unwrap_or_default());
        shown.insert("name".to_owned(), json!(format!("{} {}", name("first_name"), name("last_name")).trim()));
    }
    Value::Object(shown)
}

fn only(value: &Value, keys: &[&str]) -> Map<String, Value> {
    keys.iter().filter_map(|key| Some(((*key).to_owned(), value.get(*key)?.clone()))).collect()
}
