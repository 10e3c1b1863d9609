//! What a call answers.
use crate::abi::*;
use std::borrow::Cow;
use std::time::Duration;

/// A reason, as the pod's condition shows it: `"node(s) had no disk".into()`.
pub type Text = Cow<'static, str>;

/// A decision. Errors are not decisions: they are [`Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Go on; of a node: it will do.
    Success,
    /// Not now; preemption or a change in the cluster may help.
    Unschedulable(Text),
    /// Not now, and preemption cannot help.
    Unresolvable(Text),
    /// Like `Unschedulable`, and an event of this plugin tries the pod again at once.
    Pending(Text),
    /// PreFilter and PreScore only: leave this plugin's Filter, or Score, out of this attempt.
    Skip,
    /// Permit only: hold the pod for at most this long.
    Wait(Duration),
}

/// A fault: the attempt fails and is made again after a while. `?` makes one of every `std::error::Error`.
#[derive(Debug)]
pub struct Error(Text);

impl Error {
    /// An error of this text.
    pub fn new(text: impl Into<Text>) -> Self {
        Error(text.into())
    }
    /// What is wrong.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        Error(error.to_string().into())
    }
}

// Which statuses are a call's to answer, beside those that any may.
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
    pub(crate) fn reason(&self) -> Option<&Text> {
        match self {
            Status::Unschedulable(text) | Status::Unresolvable(text) | Status::Pending(text) => Some(text),
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
