//! QueueSort and PostFilter: the order of the queue, and what to do for a pod that fits on no node.
use crate::abi::*;
use crate::cycle::Cycle;
use crate::host::{Core, Id};
use crate::plugin::Plugin;
use crate::status::{Error, Status};
use crate::views::Pod;

/// The order of the active queue.
pub trait QueueSort: Plugin {
    /// Whether the first pod comes before the second. A strict order, over data that does not change while they wait.
    fn less(&self, a: &Queued, b: &Queued) -> bool;
}

/// A pod in the queue.
#[derive(Clone, Copy)]
pub struct Queued<'a> {
    core: &'a Core,
    raw: &'a berth_queued,
}

fn time(unix_ns: i64) -> Option<i64> {
    (unix_ns != BERTH_NO_TIME).then(|| unix_ns)
}

impl<'a> Queued<'a> {
    pub(crate) unsafe fn new(core: &'a Core, raw: *const berth_queued) -> Self {
        Queued { core, raw: &*raw }
    }
    /// Which pod.
    pub fn pod(&self) -> Pod<'a> {
        unsafe { Pod::new(self.core, self.raw.pod) }
    }
    /// How often it was tried.
    pub fn attempts(&self) -> u32 {
        self.raw.attempts
    }
    /// When it was last put into the queue: Unix nanoseconds.
    pub fn queued_unix_ns(&self) -> i64 {
        self.raw.queued_unix_ns
    }
    /// When it first became active, if it did.
    pub fn initial_attempt_unix_ns(&self) -> Option<i64> {
        time(self.raw.initial_attempt_unix_ns)
    }
}

/// Makes room for a pod that fits nowhere.
pub trait PostFilter: Plugin {
    /// Success or Unresolvable: the host calls no other plugin. Unschedulable: it calls the next one.
    fn post_filter(&self, cycle: &mut Cycle, pod: &Pod, diagnosis: &Diagnosis) -> Result<PostFiltered, Error>;
}

/// The change of the pod's nominated node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nominate {
    /// It stays as it is.
    Keep,
    /// It is this one.
    Node(Id),
    /// It is cleared.
    Clear,
}

/// The result of PostFilter. `Ok(Status::Success.into())` leaves the nomination as it is.
pub struct PostFiltered {
    /// Success: something was done that should make room.
    pub status: Status,
    /// Whatever the status is.
    pub nominate: Nominate,
}

impl From<Status> for PostFiltered {
    fn from(status: Status) -> Self {
        PostFiltered { status, nominate: Nominate::Keep }
    }
}

/// Why a pod fits nowhere.
#[derive(Clone, Copy)]
pub struct Diagnosis<'a> {
    raw: &'a berth_diagnosis,
    rows: u32,
}

impl<'a> Diagnosis<'a> {
    pub(crate) unsafe fn new(raw: *const berth_diagnosis, rows: u32) -> Self {
        Diagnosis { raw: &*raw, rows }
    }
    /// The verdict for the node on this row; SUCCESS if it was not examined. Its texts: [`Cycle::reason_texts`].
    pub fn verdict(&self, row: u32) -> Option<&'a berth_verdict> {
        let there = row < self.rows && !self.raw.verdicts.is_null();
        there.then(|| unsafe { &*self.raw.verdicts.add(row as usize) })
    }
    /// The verdict for nodes that were not examined.
    pub fn absent(&self) -> &'a berth_verdict {
        &self.raw.absent
    }
    /// The effective verdict for a row: its own, or that for nodes that were not examined.
    pub fn of(&self, row: u32) -> &'a berth_verdict {
        let examined = self.verdict(row).filter(|verdict| verdict.code != BERTH_SUCCESS as u8);
        examined.unwrap_or_else(|| self.absent())
    }
}
