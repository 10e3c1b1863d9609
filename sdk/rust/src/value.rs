//! One value in a document that the host has parsed: a plugin's args.
use crate::abi::*;
use crate::host::{ask, borrow, text_of, Core};

/// The type of a [`Value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Null,
    Bool,
    Int,
    Number,
    String,
    Array,
    Object,
}

/// A value of JSON; absent members are null. Borrowed, pass it by value.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    pub(crate) core: &'a Core,
    raw: *const berth_value,
}

impl<'a> Value<'a> {
    pub(crate) fn new(core: &'a Core, raw: *const berth_value) -> Self {
        Value { core, raw }
    }
    pub(crate) fn raw(self) -> *const berth_value {
        self.raw
    }

    /// Its type.
    pub fn kind(self) -> Kind {
        match unsafe { ask!(self.core, value.kind)(self.raw) } {
            BERTH_VALUE_BOOL => Kind::Bool,
            BERTH_VALUE_INT => Kind::Int,
            BERTH_VALUE_NUMBER => Kind::Number,
            BERTH_VALUE_STRING => Kind::String,
            BERTH_VALUE_ARRAY => Kind::Array,
            BERTH_VALUE_OBJECT => Kind::Object,
            _ => Kind::Null,
        }
    }
    /// Null, or absent.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }
    /// None when it is something else.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| unsafe { ask!(self.core, value.integer)(self.raw) != 0 })
    }
    /// None when it is something else.
    pub fn as_i64(self) -> Option<i64> {
        (self.kind() == Kind::Int).then(|| unsafe { ask!(self.core, value.integer)(self.raw) })
    }
    /// Also for whole numbers. None for another type.
    pub fn as_f64(self) -> Option<f64> {
        matches!(self.kind(), Kind::Int | Kind::Number).then(|| unsafe { ask!(self.core, value.number)(self.raw) })
    }
    /// None when it is something else.
    pub fn as_str(self) -> Option<&'a str> {
        (self.kind() == Kind::String).then(|| unsafe { text_of(ask!(self.core, value.string)(self.raw)) })
    }
    /// How many elements or members there are.
    pub fn len(self) -> u32 {
        unsafe { ask!(self.core, value.count)(self.raw) }
    }
    /// Whether it is empty.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// The i-th element or member.
    pub fn at(self, i: u32) -> Value<'a> {
        Value::new(self.core, unsafe { ask!(self.core, value.at)(self.raw, i) })
    }
    /// An object's member; null when it has none of that name.
    pub fn get(self, key: &str) -> Value<'a> {
        Value::new(self.core, unsafe { ask!(self.core, value.get)(self.raw, borrow(key)) })
    }
    /// The elements.
    pub fn elements(self) -> impl Iterator<Item = Value<'a>> {
        (0..self.len()).map(move |i| self.at(i))
    }
    /// An object's members, in the document's order.
    pub fn members(self) -> impl Iterator<Item = (&'a str, Value<'a>)> {
        let n = if self.kind() == Kind::Object { self.len() } else { 0 };
        (0..n).map(move |i| (unsafe { text_of(ask!(self.core, value.key)(self.raw, i)) }, self.at(i)))
    }

    /// As JSON text.
    pub fn to_json(self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(self, out: &mut String) {
        match self.kind() {
            Kind::Null => out.push_str("null"),
            Kind::Bool => out.push_str(if self.as_bool() == Some(true) { "true" } else { "false" }),
            Kind::Int => out.push_str(&self.as_i64().unwrap_or(0).to_string()),
            Kind::Number => out.push_str(&format!("{:?}", self.as_f64().unwrap_or(0.0))),
            Kind::String => quote(self.as_str().unwrap_or(""), out),
            Kind::Array => {
                let mut separator = '[';
                for element in self.elements() {
                    out.push(std::mem::replace(&mut separator, ','));
                    element.write(out);
                }
                out.push_str(if separator == '[' { "[]" } else { "]" });
            }
            Kind::Object => {
                let mut separator = '{';
                for (key, member) in self.members() {
                    out.push(std::mem::replace(&mut separator, ','));
                    quote(key, out);
                    out.push(':');
                    member.write(out);
                }
                out.push_str(if separator == '{' { "{}" } else { "}" });
            }
        }
    }
}

/// A string as JSON text, quotes included: `format!("{{\"label\":{}}}", json_string(label))`.
pub fn json_string(text: &str) -> String {
    let mut out = String::new();
    quote(text, &mut out);
    out
}

/// Appends text as a string of JSON.
fn quote(text: &str, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            other => out.push(other),
        }
    }
    out.push('"');
}
