//! From the chosen node to the bound pod: the traits, and calls that end later.
use crate::abi::*;
use crate::cycle::{BindCycle, Cycle};
use crate::host::{ask, borrow, Core, Id};
use crate::plugin::Plugin;
use crate::status::{Error, Status};
use crate::views::Pod;
use std::cell::Cell;

/// Reserves what a pod will use on its node.
pub trait Reserve: Plugin {
    /// Success, Unschedulable or Unresolvable.
    fn reserve(&self, cycle: &mut Cycle, pod: &Pod, node: Id) -> Result<Status, Error>;
    /// Reverts it. It cannot fail; the host may call it twice, and without an earlier reserve.
    fn unreserve(&self, cycle: &Cycle, pod: &Pod, node: Id);
}

/// Approves, delays, or rejects a pod before it is bound.
pub trait Permit: Plugin {
    /// Success, Unschedulable, Unresolvable, or Wait.
    fn permit(&self, cycle: &mut Cycle, pod: &Pod, node: Id) -> Result<Status, Error>;
}

/// Prepares a pod for its binding. Runs on a binding thread, concurrently with all other calls.
pub trait PreBind: Plugin {
    /// Success: there is work for pre_bind; Skip: there is none. Quick, and changes nothing.
    fn pre_flight(&self, _cycle: &BindCycle, _pod: &Pod, _node: Id) -> Result<Status, Error> {
        Ok(Status::Success)
    }
    /// May block its thread, or keep the op and end it later. `Ok(Status::Success.into())`
    fn pre_bind(&self, cycle: &mut BindCycle, pod: &Pod, node: Id, op: Op) -> Result<Answer, Error>;
}

/// Binds a pod. Runs on a binding thread, concurrently with all other calls.
pub trait Bind: Plugin {
    /// Success: it is bound. Skip: the host calls the next plugin. `op.send_binding(pod, node)` leaves the write to the
    /// host.
    fn bind(&self, cycle: &mut BindCycle, pod: &Pod, node: Id, op: Op) -> Result<Answer, Error>;
}

/// Called after a pod was bound.
pub trait PostBind: Plugin {
    /// Informational.
    fn post_bind(&self, cycle: &Cycle, pod: &Pod, node: Id);
}

/// The result of a call that may end later: from a [`Status`], or from an [`Op`] that was kept.
pub struct Answer(pub(crate) Option<Status>);

impl From<Status> for Answer {
    fn from(status: Status) -> Self {
        Answer(Some(status))
    }
}

/// A call that may end later. A plugin that does not use it ends the call at once.
pub struct Op<'a> {
    pub(crate) core: &'a Core,
    pub(crate) raw: *mut berth_op,
    pub(crate) taken: &'a Cell<bool>,
}

impl Op<'_> {
    /// The call's result, and the object that ends the call, from any thread, now or later.
    pub fn later(self) -> (Answer, PendingOp) {
        self.taken.set(true);
        (Answer(None), PendingOp { raw: self.raw })
    }
    /// Makes the host send the Binding, and end the call when the API server has answered. Name `BERTH_SERVICE_BINDER`
    /// in `NEEDS`.
    pub fn send_binding(self, pod: &Pod, node: Id) -> Result<Answer, Error> {
        match unsafe { ask!(self.core, binder.bind)(self.core.raw, pod.raw(), node.0, self.raw) } {
            BERTH_LATER => {
                self.taken.set(true);
                Ok(Answer(None))
            }
            status => Err(Error::new(format!("the host's binder answered {status}"))),
        }
    }
}

/// A call that has not ended. If you drop it, it ends with an error, so that the pod does not wait forever. All must
/// have ended when `deactivate` returns.
pub struct PendingOp {
    raw: *mut berth_op,
}
// done is [any], and is called once.
unsafe impl Send for PendingOp {}
unsafe impl Sync for PendingOp {}

impl PendingOp {
    /// Ends the call.
    pub fn done(self, outcome: Result<Status, Error>) {
        match outcome {
            Ok(status) => match status.reasons() {
                Some(reasons) => reasons.lend(|texts| self.end(status.code(), texts)),
                None => self.end(status.code(), &[]),
            },
            Err(error) => self.end(BERTH_ERROR, &[borrow(error.text())]),
        }
        std::mem::forget(self);
    }
    fn end(&self, code: berth_status, reasons: &[berth_str]) {
        unsafe {
            if let Some(done) = (*self.raw).done {
                done(self.raw, code, reasons.as_ptr(), reasons.len() as u32)
            }
        }
    }
}

impl Drop for PendingOp {
    fn drop(&mut self) {
        self.end(BERTH_ERROR, &[borrow("the plugin dropped the operation without an outcome")])
    }
}
