//! Documents for args, and the host's walk over them.
use crate::abi::*;
use crate::host::{borrow, text_of};

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
    pub(crate) fn raw(&self) -> *const berth_value {
        self as *const Json as *const berth_value
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.into())
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

unsafe fn of<'a>(raw: *const berth_value) -> &'a Json {
    (raw as *const Json).as_ref().unwrap_or(&Json::Null)
}
unsafe extern "C" fn kind(raw: *const berth_value) -> i32 {
    match of(raw) {
        Json::Null => BERTH_VALUE_NULL,
        Json::Bool(_) => BERTH_VALUE_BOOL,
        Json::Int(_) => BERTH_VALUE_INT,
        Json::Number(_) => BERTH_VALUE_NUMBER,
        Json::Text(_) => BERTH_VALUE_STRING,
        Json::Array(_) => BERTH_VALUE_ARRAY,
        Json::Object(_) => BERTH_VALUE_OBJECT,
    }
}
unsafe extern "C" fn integer(raw: *const berth_value) -> i64 {
    match of(raw) {
        Json::Bool(truth) => *truth as i64,
        Json::Int(number) => *number,
        _ => 0,
    }
}
unsafe extern "C" fn number(raw: *const berth_value) -> f64 {
    match of(raw) {
        Json::Int(number) => *number as f64,
        Json::Number(number) => *number,
        _ => 0.0,
    }
}
unsafe extern "C" fn string(raw: *const berth_value) -> berth_str {
    match of(raw) {
        Json::Text(text) => borrow(text),
        _ => borrow(""),
    }
}
unsafe extern "C" fn count(raw: *const berth_value) -> u32 {
    match of(raw) {
        Json::Array(elements) => elements.len() as u32,
        Json::Object(members) => members.len() as u32,
        _ => 0,
    }
}
unsafe extern "C" fn at(raw: *const berth_value, i: u32) -> *const berth_value {
    let found = match of(raw) {
        Json::Array(elements) => elements.get(i as usize),
        Json::Object(members) => members.get(i as usize).map(|(_, value)| value),
        _ => None,
    };
    found.map_or(std::ptr::null(), Json::raw)
}
unsafe extern "C" fn key(raw: *const berth_value, i: u32) -> berth_str {
    match of(raw) {
        Json::Object(members) => members.get(i as usize).map_or(borrow(""), |(key, _)| borrow(key)),
        _ => borrow(""),
    }
}
unsafe extern "C" fn get(raw: *const berth_value, key: berth_str) -> *const berth_value {
    let wanted: &str = text_of(key);
    match of(raw) {
        Json::Object(members) => members.iter().find(|(k, _)| k == wanted).map_or(std::ptr::null(), |(_, v)| v.raw()),
        _ => std::ptr::null(),
    }
}

pub(crate) static VALUES: berth_values = berth_values {
    size: std::mem::size_of::<berth_values>() as u32,
    rsv: 0,
    kind: Some(kind),
    integer: Some(integer),
    number: Some(number),
    string: Some(string),
    count: Some(count),
    at: Some(at),
    key: Some(key),
    get: Some(get),
};
