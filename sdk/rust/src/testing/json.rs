//! Documents: args, objects, and the messages to and from the fake host.
use crate::abi::*;
use crate::host::text_of;
use crate::value::json_string;
use std::collections::BTreeMap;
use std::fmt;

/// A value of JSON.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Json {
    Null,
    Bool(bool),
    Int(i64),
    Number(f64),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// `Json::object([("label", "pool".into())])`
    pub fn object<'a>(members: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
        Json::Object(members.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
    }

    pub(super) fn map<T: Clone + Into<Json>>(members: &BTreeMap<String, T>) -> Json {
        Json::Object(members.iter().map(|(key, value)| (key.clone(), value.clone().into())).collect())
    }
    pub(super) fn bytes(bytes: &[u8]) -> Json {
        Json::Array(bytes.iter().map(|byte| Json::Int(i64::from(*byte))).collect())
    }
    /// Adds a member to an object, if there is a value.
    pub(super) fn with(mut self, key: &str, value: Option<Json>) -> Json {
        if let (Json::Object(members), Some(value)) = (&mut self, value) {
            members.push((key.into(), value));
        }
        self
    }

    /// A copy of an answer of the fake host.
    pub(super) unsafe fn read(table: &berth_values, raw: *const berth_value) -> Json {
        let elements = || (0..table.count.expect("count")(raw)).map(|i| Json::read(table, table.at.expect("at")(raw, i)));
        match table.kind.expect("kind")(raw) {
            BERTH_VALUE_BOOL => Json::Bool(table.integer.expect("integer")(raw) != 0),
            BERTH_VALUE_INT => Json::Int(table.integer.expect("integer")(raw)),
            BERTH_VALUE_NUMBER => Json::Number(table.number.expect("number")(raw)),
            BERTH_VALUE_STRING => Json::Text(text_of::<'_>(table.string.expect("string")(raw)).into()),
            BERTH_VALUE_ARRAY => Json::Array(elements().collect()),
            BERTH_VALUE_OBJECT => {
                let key = |i| text_of::<'_>(table.key.expect("key")(raw, i)).to_string();
                Json::Object(elements().enumerate().map(|(i, value)| (key(i as u32), value)).collect())
            }
            _ => Json::Null,
        }
    }
    /// A member of an object, or null.
    pub(super) fn get(&self, key: &str) -> &Json {
        self.members().iter().find(|(name, _)| name == key).map_or(&Json::Null, |(_, value)| value)
    }
    pub(super) fn int(&self, key: &str) -> i64 {
        match self.get(key) {
            Json::Int(number) => *number,
            other => panic!("the fake host answers {other:?} as {key}"),
        }
    }
    pub(super) fn is(&self, key: &str) -> bool {
        self.get(key) == &Json::Bool(true)
    }
    pub(super) fn text(&self, key: &str) -> String {
        self.get(key).as_text()
    }
    pub(super) fn as_text(&self) -> String {
        match self {
            Json::Text(text) => text.clone(),
            other => panic!("the fake host answers {other:?} for a text"),
        }
    }
    pub(super) fn texts(&self, key: &str) -> Vec<String> {
        self.list(key).iter().map(Json::as_text).collect()
    }
    pub(super) fn list(&self, key: &str) -> &[Json] {
        match self.get(key) {
            Json::Array(elements) => elements,
            _ => &[],
        }
    }
    pub(super) fn members(&self) -> &[(String, Json)] {
        match self {
            Json::Object(members) => members,
            _ => &[],
        }
    }
    pub(super) fn as_int(&self) -> i64 {
        if let Json::Int(number) = self { *number } else { 0 }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Json::Null => write!(out, "null"),
            Json::Bool(truth) => write!(out, "{truth}"),
            Json::Int(number) => write!(out, "{number}"),
            Json::Number(number) => write!(out, "{number:?}"),
            Json::Text(text) => write!(out, "{}", json_string(text)),
            Json::Array(elements) => {
                let texts: Vec<String> = elements.iter().map(Json::to_string).collect();
                write!(out, "[{}]", texts.join(","))
            }
            Json::Object(members) => {
                let texts: Vec<String> = members.iter().map(|(key, value)| format!("{}:{value}", json_string(key))).collect();
                write!(out, "{{{}}}", texts.join(","))
            }
        }
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.into())
    }
}
impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::Text(text)
    }
}
impl From<i64> for Json {
    fn from(number: i64) -> Json {
        Json::Int(number)
    }
}
impl From<bool> for Json {
    fn from(truth: bool) -> Json {
        Json::Bool(truth)
    }
}
