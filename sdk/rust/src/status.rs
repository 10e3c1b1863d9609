//! The result of a call.
use crate::abi::*;
use crate::host::borrow;
use std::borrow::Cow;
use std::time::Duration;

/// One reason, as the pod's condition shows it.
pub type Text = Cow<'static, str>;

/// Why, in one text or several: `"node(s) had no disk".into()`, or a `Vec<Text>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasons(Texts);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Texts {
    One(Text), // a text without an allocation
    Many(Vec<Text>),
}

impl Reasons {
    /// The texts.
    pub fn texts(&self) -> &[Text] {
        match &self.0 {
            Texts::One(text) => std::slice::from_ref(text),
            Texts::Many(texts) => texts,
        }
    }
    /// The texts as the ABI has them.
    pub(crate) fn lend<R>(&self, to: impl FnOnce(&[berth_str]) -> R) -> R {
        match &self.0 {
            Texts::One(text) => to(&[borrow(text)]),
            Texts::Many(texts) => to(&texts.iter().map(|text| borrow(text)).collect::<Vec<_>>()),
        }
    }
}
impl From<&'static str> for Reasons {
    fn from(text: &'static str) -> Self {
        Reasons(Texts::One(text.into()))
    }
}
impl From<String> for Reasons {
    fn from(text: String) -> Self {
        Reasons(Texts::One(text.into()))
    }
}
impl From<Text> for Reasons {
    fn from(text: Text) -> Self {
        Reasons(Texts::One(text))
    }
}
impl From<Vec<Text>> for Reasons {
    fn from(texts: Vec<Text>) -> Self {
        Reasons(Texts::Many(texts))
    }
}

/// A decision. Errors are not decisions: they are [`Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Success; for a node: it fits.
    Success,
    /// Not now; preemption or a change in the cluster may help.
    Unschedulable(Reasons),
    /// Not now, and preemption cannot help.
    Unresolvable(Reasons),
    /// Like `Unschedulable`, and an event of this plugin tries the pod again at once.
    Pending(Reasons),
    /// PreFilter and PreScore: do not call this plugin's Filter, or Score, in this attempt. PreBind's pre_flight: there
    /// is nothing to do. Bind: call the next plugin. A state that is handed over: start without it.
    Skip,
    /// Permit only: hold the pod for at most this long.
    Wait(Duration),
}

/// A fault: the attempt fails, and the pod is retried after its backoff. `?` converts every `std::error::Error` to it.
#[derive(Debug)]
pub struct Error(Text);

impl Error {
    /// An error of this text.
    pub fn new(text: impl Into<Text>) -> Self {
        Error(text.into())
    }
    /// The error text.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        Error(error.to_string().into())
    }
}

// The statuses that a call may return, in addition to those that every call may return.
pub(crate) const MAY_NOTHING_ELSE: u32 = 0;
pub(crate) const MAY_SKIP: u32 = 1;
pub(crate) const MAY_WAIT: u32 = 2;

impl Status {
    pub(crate) fn code(&self) -> berth_status {
        match self {
            Status::Success => BERTH_SUCCESS,
            Status::Unschedulable(_) => BERTH_UNSCHEDULABLE,
            Status::Unresolvable(_) => BERTH_UNRESOLVABLE,
            Status::Pending(_) => BERTH_PENDING,
            Status::Skip => BERTH_SKIP,
            Status::Wait(_) => BERTH_WAIT,
        }
    }
    pub(crate) fn reasons(&self) -> Option<&Reasons> {
        match self {
            Status::Unschedulable(reasons) | Status::Unresolvable(reasons) | Status::Pending(reasons) => Some(reasons),
            _ => None,
        }
    }
    pub(crate) fn privilege(&self) -> u32 {
        match self {
            Status::Skip => MAY_SKIP,
            Status::Wait(_) => MAY_WAIT,
            _ => MAY_NOTHING_ELSE,
        }
    }
}
