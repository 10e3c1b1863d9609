//! An attempt's calls from the chosen node on, and those that end later.
use super::attempt::{Attempt, Outcome};
use super::services::strings;
use crate::abi::*;
use std::mem::size_of;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

#[repr(C)]
struct FakeOp {
    face: berth_op, // first: a berth_op* is a FakeOp*
    ended: Mutex<Option<(berth_status, Vec<String>)>>,
    told: Condvar,
}

unsafe extern "C" fn done(op: *mut berth_op, status: berth_status, reasons: *const berth_str, n: u32) {
    let op = &*(op as *const FakeOp);
    let outcome = (status, if n == 0 { Vec::new() } else { strings(reasons, n) });
    if op.ended.lock().unwrap().replace(outcome).is_some() {
        eprintln!("an operation was ended twice");
        std::process::abort()
    }
    op.told.notify_all()
}

/// A call that may not have ended yet.
pub struct Started {
    answered: Option<Result<Outcome, String>>,
    op: Arc<FakeOp>,
}

impl Started {
    /// None: it has not ended.
    pub fn outcome(&self) -> Option<Result<Outcome, String>> {
        self.wait(Duration::ZERO)
    }
    /// Waits for its end at most this long.
    pub fn wait(&self, time: Duration) -> Option<Result<Outcome, String>> {
        if self.answered.is_some() {
            return self.answered.clone();
        }
        let ended = self.op.ended.lock().unwrap();
        let (ended, _) = self.op.told.wait_timeout_while(ended, time, |ended| ended.is_none()).unwrap();
        ended.clone().map(|(code, reasons)| match code {
            BERTH_ERROR => Err(reasons.first().cloned().unwrap_or_else(|| "ERROR without a text".into())),
            code => Ok(Outcome { code, reasons, wait_ns: 0 }),
        })
    }
}

impl Attempt<'_> {
    /// Books the node.
    pub fn reserve(&self, node: &str) -> Result<Outcome, String> {
        let table: &berth_reserve = self.plugin.offered(BERTH_POINT_RESERVE);
        let node = self.plugin.intern(node);
        let code = unsafe { table.reserve.expect("reserve")(self.plugin.instance, self.raw(), self.pod, node) };
        self.outcome(code, 0)
    }
    /// Takes the booking back.
    pub fn unreserve(&self, node: &str) {
        let table: &berth_reserve = self.plugin.offered(BERTH_POINT_RESERVE);
        let node = self.plugin.intern(node);
        let call = table.unreserve.expect("unreserve");
        self.plugin.host.told(|| unsafe { call(self.plugin.instance, self.raw(), self.pod, node) })
    }
    /// The last word.
    pub fn permit(&self, node: &str) -> Result<Outcome, String> {
        let table: &berth_permit = self.plugin.offered(BERTH_POINT_PERMIT);
        let (node, mut wait_ns) = (self.plugin.intern(node), 0);
        let call = table.permit.expect("permit");
        let code = unsafe { call(self.plugin.instance, self.raw(), self.pod, node, &mut wait_ns) };
        self.outcome(code, wait_ns)
    }
    /// Is there something to do for PreBind?
    pub fn pre_flight(&self, node: &str) -> Result<Outcome, String> {
        let table: &berth_pre_bind = self.plugin.offered(BERTH_POINT_PRE_BIND);
        let node = self.plugin.intern(node);
        let call = table.pre_flight.expect("pre_flight");
        let code = self.outside(|| unsafe { call(self.plugin.instance, self.raw(), self.pod, node) });
        self.outcome(code, 0)
    }
    /// Does not wait for its end.
    pub fn start_pre_bind(&self, node: &str) -> Started {
        let table: &berth_pre_bind = self.plugin.offered(BERTH_POINT_PRE_BIND);
        self.start(table.pre_bind.expect("pre_bind"), node)
    }
    /// Waits for ten seconds.
    pub fn pre_bind(&self, node: &str) -> Result<Outcome, String> {
        self.start_pre_bind(node).wait(LONG).expect("pre_bind has not ended")
    }
    /// Waits for ten seconds.
    pub fn bind(&self, node: &str) -> Result<Outcome, String> {
        let table: &berth_bind = self.plugin.offered(BERTH_POINT_BIND);
        self.start(table.bind.expect("bind"), node).wait(LONG).expect("bind has not ended")
    }
    /// The pod is bound.
    pub fn post_bind(&self, node: &str) {
        let table: &berth_post_bind = self.plugin.offered(BERTH_POINT_POST_BIND);
        let (call, node) = (table.post_bind.expect("post_bind"), self.plugin.intern(node));
        self.outside(|| self.plugin.host.told(|| unsafe { call(self.plugin.instance, self.raw(), self.pod, node) }))
    }
    /// The answer is no longer wanted.
    pub fn cancel(&self) {
        self.cycle.borrow().cancelled.store(true, Ordering::Relaxed)
    }

    /// In the binding cycle there is no snapshot.
    fn outside<T>(&self, call: impl FnOnce() -> T) -> T {
        self.cycle.borrow_mut().snapshot = false;
        let answer = call();
        self.cycle.borrow_mut().snapshot = true;
        answer
    }
    fn start(&self, call: MayEndLater, node: &str) -> Started {
        let face = berth_op { size: size_of::<berth_op>() as u32, rsv: 0, done: Some(done) };
        let op = Arc::new(FakeOp { face, ended: Mutex::default(), told: Condvar::new() });
        let node = self.plugin.intern(node);
        let raw = Arc::as_ptr(&op) as *mut berth_op;
        let code = self.outside(|| unsafe { call(self.plugin.instance, self.raw(), self.pod, node, raw) });
        if code == BERTH_LATER {
            std::mem::forget(op.clone()); // it may end after the test has gone on
        }
        Started { answered: (code != BERTH_LATER).then(|| self.outcome(code, 0)), op }
    }
}

type MayEndLater =
    unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, berth_id, *mut berth_op) -> berth_status;
const LONG: Duration = Duration::from_secs(10);
