//! The Bot API's own description of its types: values made at random from it, and requests checked against it.

use std::collections::BTreeMap;

use groupmate::clock::Dice;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// How deep a value nests; types that need themselves end there.
const DEPTH: u32 = 4;

#[derive(Deserialize)]
pub struct Schema {
    pub types: BTreeMap<String, BTreeMap<String, String>>,
    pub unions: BTreeMap<String, Vec<String>>,
    pub methods: BTreeMap<String, BTreeMap<String, String>>,
}

pub fn schema() -> Schema {
    serde_json::from_str(include_str!("../data/bot-api/schema-10.3.json")).unwrap()
}

/// What the Bot API documents nothing of in a request; `None` if all of it is as documented.
pub fn objection(method: &str, body: &Value) -> Option<String> {
    static SCHEMA: std::sync::LazyLock<Schema> = std::sync::LazyLock::new(schema);
    let Some((_, parameters)) = SCHEMA.methods.iter().find(|(name, _)| name.eq_ignore_ascii_case(method)) else {
        return Some(format!("there is no method {method}"));
    };
    SCHEMA.fields(parameters, body).err().map(|why| format!("{method}{why}"))
}

impl Schema {
    /// Whether a value is of a kind, exactly: nothing missing, nothing that is not documented.
    pub fn fits(&self, kind: &str, value: &Value) -> Result<(), String> {
        if let Some(constant) = kind.strip_prefix('=') {
            return if value == constant { Ok(()) } else { Err(format!(": {value} is not {constant:?}")) };
        }
        let wrong = || Err(format!(": {value} is no {kind}"));
        if let Some(of) = kind.strip_prefix("Array of ") {
            let Some(items) = value.as_array() else { return wrong() };
            return items
                .iter()
                .enumerate()
                .try_for_each(|(n, item)| self.fits(of, item).map_err(|why| format!("[{n}]{why}")));
        }
        let either: Vec<&str> =
            kind.split(',').flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" and ")).collect();
        if either.len() > 1 {
            return self.any(either.into_iter().map(str::trim), value);
        }
        let is_it = match kind {
            "Integer" => value.is_i64() || value.is_u64(),
            "Float" => value.is_number(),
            // A file is named by its id or its address here, or by the part that holds it.
            "String" | "InputFile" => value.is_string(),
            "Boolean" => value.is_boolean(),
            "True" => *value == json!(true),
            "RichText" if !value.is_object() => value.is_string() || value.is_array(),
            name => {
                return match (self.unions.get(name), self.types.get(name)) {
                    (Some(members), _) => self.any(members.iter().map(String::as_str), value),
                    (None, Some(fields)) => self.fields(fields, value),
                    (None, None) => Err(format!(": there is no type {name}")),
                };
            }
        };
        if is_it { Ok(()) } else { wrong() }
    }

    fn any<'k>(&self, kinds: impl Iterator<Item = &'k str>, value: &Value) -> Result<(), String> {
        let mut faults = Vec::new();
        for kind in kinds {
            match self.fits(kind, value) {
                Ok(()) => return Ok(()),
                Err(why) => faults.push(format!("no {kind}{why}")),
            }
        }
        Err(format!(": {}", faults.join("; ")))
    }

    fn fields(&self, known: &BTreeMap<String, String>, value: &Value) -> Result<(), String> {
        let Some(fields) = value.as_object() else { return Err(format!(": {value} is no object")) };
        if let Some(unknown) = fields.keys().find(|name| !known.contains_key(*name)) {
            return Err(format!(".{unknown}: not documented"));
        }
        for (name, kind) in known {
            let (kind, optional) = kind.strip_suffix('?').map_or((kind.as_str(), false), |kind| (kind, true));
            match fields.get(name) {
                Some(value) => self.fits(kind, value).map_err(|why| format!(".{name}{why}"))?,
                None if optional => {}
                None => return Err(format!(".{name}: missing")),
            }
        }
        Ok(())
    }
}

/// Makes values of named types, always the same ones for the same dice.
pub struct Maker<'s> {
    pub schema: &'s Schema,
    pub dice: Dice,
    /// How often a field is there although it may be missing, 0 to 1.
    pub fullness: f32,
    /// How often a value is of a wrong kind, 0 to 1.
    pub wrongness: f32,
}

impl Maker<'_> {
    pub fn value(&mut self, kind: &str) -> Value {
        self.deep(kind, DEPTH)
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.dice.unit() * n as f32) as usize).min(n - 1)
    }

    fn deep(&mut self, kind: &str, depth: u32) -> Value {
        if self.dice.unit() < self.wrongness {
            let wrong = [
                json!(null),
                json!(-1),
                json!("x"),
                json!([]),
                json!({}),
                json!(1e300),
                json!([[{ "a": 1 }]]),
                json!(i64::MAX),
            ];
            return wrong[self.below(wrong.len())].clone();
        }
        if let Some(constant) = kind.strip_prefix('=') {
            return json!(constant);
        }
        if let Some(of) = kind.strip_prefix("Array of ") {
            let n = if depth == 0 { 0 } else { self.below(4) };
            return (0..n).map(|_| self.deep(of, depth - 1)).collect();
        }
        let either: Vec<&str> = kind
            .split([','])
            .flat_map(|part| part.split(" or "))
            .flat_map(|part| part.split(" and "))
            .map(str::trim)
            .collect();
        if either.len() > 1 {
            let chosen = either[self.below(either.len())].to_owned();
            return self.deep(&chosen, depth);
        }
        match kind {
            "Integer" => json!([0, 1, 42, 777_000, -1_001_234_567_890, 7, i64::from(i32::MAX)][self.below(7)]),
            "Float" => json!(self.dice.unit()),
            "String" => json!(
                ["", "x", "小夏 😀 @xiaxia_bot", "group", "private", "supergroup", "/a@b c", "\u{202e}\n#1"]
                    [self.below(8)]
            ),
            "Boolean" => json!(self.dice.unit() < 0.5),
            "True" => json!(true),
            name => self.named(name, depth),
        }
    }

    fn named(&mut self, name: &str, depth: u32) -> Value {
        if name == "RichText" && (depth == 0 || self.dice.unit() < 0.3) {
            return json!("rich 文");
        }
        if let Some(members) = self.schema.unions.get(name) {
            let chosen = members[self.below(members.len())].clone();
            return self.named(&chosen, depth);
        }
        let Some(fields) = self.schema.types.get(name) else { panic!("no type {name}") };
        let mut made = Map::new();
        for (field, kind) in fields {
            let (kind, optional) = kind.strip_suffix('?').map_or((kind.as_str(), false), |kind| (kind, true));
            if (optional && self.dice.unit() >= self.fullness) || depth == 0 {
                continue;
            }
            made.insert(field.clone(), self.deep(kind, depth - 1));
        }
        Value::Object(made)
    }
}
