//! What names and expressions can stand for.

/// What a name or an expression can stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// A skill or something below it.
    Path(String),
    /// A text that may be a member's name.
    Text(String),
    /// An object or list of known members.
    Object(Vec<(String, Vec<Self>)>),
}

/// How many things one expression can stand for: a bound for unions of unions.
pub(super) const MOST_VALUES: usize = 32;
/// A member of each value.
pub(super) fn take(values: &[Value], key: &str) -> Vec<Value> {
    let mut taken = Vec::new();
    for value in values {
        match value {
            Value::Path(path) => taken.push(Value::Path(format!("{path}.{key}"))),
            Value::Object(known) => {
                taken.extend(known.iter().filter(|(name, _)| name == key).flat_map(|(_, inner)| inner.iter().cloned()));
            }
            Value::Text(_) => {}
        }
    }
    taken.truncate(MOST_VALUES);
    taken
}

/// One element of a list, or all of them.
pub(super) fn items(values: &[Value], at: Option<usize>) -> Vec<Value> {
    let mut taken = Vec::new();
    for value in values {
        if let Value::Object(known) = value {
            let wanted = known.iter().filter(|(name, _)| match at {
                Some(at) => *name == at.to_string(),
                None => name.bytes().all(|b| b.is_ascii_digit()),
            });
            taken.extend(wanted.flat_map(|(_, inner)| inner.iter().cloned()));
        }
    }
    taken.truncate(MOST_VALUES);
    taken
}

pub(super) fn union(mut values: Vec<Value>, more: Vec<Value>) -> Vec<Value> {
    for value in more {
        if values.len() < MOST_VALUES && !values.contains(&value) {
            values.push(value);
        }
    }
    values
}
