//! Work outside of a call: on the scheduling thread between two cycles, or after a time. `BERTH_SERVICE_TASKS`.
use crate::guard;
use crate::host::{ask, borrow, Core, Host};
use std::os::raw::c_void;
use std::sync::Arc;
use std::time::Duration;

struct Task<F> {
    core: Arc<Core>,
    work: F,
}

unsafe extern "C" fn run<F: FnOnce() + Send + 'static>(arg: *mut c_void, run: i32) {
    let Task { core, work } = *Box::from_raw(arg as *mut Task<F>);
    // A task that never runs is dropped, which may panic as well.
    guard::logged(&core, "a task", || if run != 0 { work() } else { drop(work) })
}

impl Host {
    /// `work` runs once, never concurrently with a call of a scheduling cycle, at the earliest after this time by the
    /// host's clock. It must be quick (50 us). If the instance ends first, `work` is dropped. A panic is logged.
    pub fn post(&self, delay: Duration, work: impl FnOnce() + Send + 'static) {
        fn one<F: FnOnce() + Send + 'static>(host: &Host, delay: i64, work: F) {
            let post = ask!(host.0, tasks.post);
            let task = Box::new(Task { core: host.0.clone(), work });
            unsafe { post(host.0.raw, delay, Some(run::<F>), Box::into_raw(task) as *mut c_void) }
        }
        one(self, i64::try_from(delay.as_nanos()).unwrap_or(i64::MAX), work)
    }
    /// From a task or another call that runs alone: the pod becomes active, regardless of its backoff, after the
    /// running call. False: there is no such pod, or its binding cycle has begun.
    pub fn activate_pod(&self, uid: &str) -> bool {
        unsafe { ask!(self.0, tasks.activate)(self.0.raw, borrow(uid)) != 0 }
    }
    /// The host's wall clock, virtual in a simulation: Unix nanoseconds.
    pub fn wall_unix_ns(&self) -> i64 {
        unsafe { ask!(self.0, tasks.wall_unix_ns)(self.0.raw) }
    }
}
