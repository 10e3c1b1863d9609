//! The API server as a test plays it, the binder, and pods that wait in Permit.
use super::cluster::FakePod;
use super::services::{of, FakeHost};
use super::PluginUnderTest;
use crate::abi::*;
use crate::host::{borrow, text_of};
use std::mem::size_of;
use std::os::raw::c_void;
use std::sync::Mutex;

/// What the plugin asked of the API server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct SentRequest {
    pub verb: String,
    pub group: String,
    pub version: String,
    pub resource: String,
    pub namespace: String,
    pub name: String,
    pub subresource: String,
    pub body: String,
}

struct Open {
    done: unsafe extern "C" fn(*mut c_void, *const berth_api_reply),
    ctx: *mut c_void,
}
// The plugin's, which sends it from any thread.
unsafe impl Send for Open {}

#[derive(Default)]
pub(crate) struct Outside {
    sent: Mutex<Vec<SentRequest>>,
    open: Mutex<Vec<Open>>,
    events: Mutex<Vec<String>>,
    bound: Mutex<Vec<(String, String)>>,
    waiting: Mutex<Vec<Waiting>>,
    decided: Mutex<Vec<(String, Option<String>)>>,
}
struct Waiting(*const berth_pod);
unsafe impl Send for Waiting {} // a view, which never changes

type Done = Option<unsafe extern "C" fn(*mut c_void, *const berth_api_reply)>;

unsafe extern "C" fn send(host: *const berth_host, raw: *const berth_api_request, done: Done, ctx: *mut c_void) {
    let (outside, raw) = (&of(host).beside.outside, &*raw);
    let text = |text: berth_str| text_of::<'_>(text).to_string();
    outside.sent.lock().unwrap().push(SentRequest {
        verb: text(raw.verb),
        group: text(raw.group),
        version: text(raw.version),
        resource: text(raw.resource),
        namespace: text(raw.ns),
        name: text(raw.name),
        subresource: text(raw.subresource),
        body: text(raw.body),
    });
    outside.open.lock().unwrap().push(Open { done: done.expect("done"), ctx })
}
#[rustfmt::skip]
unsafe extern "C" fn event(
    host: *const berth_host, regarding: *const berth_pod, _related: *const berth_pod, kind: berth_str, reason: berth_str,
    action: berth_str, note: berth_str,
) {
    let [pod, kind, reason, action, note] = [(*regarding).name, kind, reason, action, note].map(|text| text_of::<'_>(text));
    of(host).beside.outside.events.lock().unwrap().push(format!("{pod}: {kind} {reason} {action}: {note}"))
}
unsafe extern "C" fn stays(_: *const berth_host, _: *const berth_pod) {} // views are never freed
pub(crate) const API: berth_api = berth_api {
    size: size_of::<berth_api>() as u32,
    rsv: 0,
    send: Some(send),
    event: Some(event),
    keep_pod: Some(stays),
    drop_pod: Some(stays),
};

unsafe extern "C" fn bind(host: *const berth_host, pod: *const berth_pod, node: berth_id, op: *mut berth_op) -> berth_status {
    let node = text_of::<'_>((*host).text.expect("text")(host, node)).to_string();
    of(host).beside.outside.bound.lock().unwrap().push((text_of::<'_>((*pod).name).into(), node));
    (*op).done.expect("done")(op, BERTH_SUCCESS, std::ptr::null(), 0);
    BERTH_LATER
}
pub(crate) const BINDER: berth_binder = berth_binder { size: size_of::<berth_binder>() as u32, rsv: 0, bind: Some(bind) };

type Tell = Option<unsafe extern "C" fn(*mut c_void, *const berth_pod)>;

unsafe extern "C" fn each(host: *const berth_host, tell: Tell, ctx: *mut c_void) {
    let pods: Vec<_> = of(host).beside.outside.waiting.lock().unwrap().iter().map(|pod| pod.0).collect();
    pods.into_iter().for_each(|pod| tell.expect("a callback")(ctx, pod))
}
unsafe fn decide(host: *const berth_host, uid: berth_str, reason: Option<String>) -> i32 {
    let outside = &of(host).beside.outside;
    let uid = text_of::<'_>(uid);
    if !outside.waiting.lock().unwrap().iter().any(|pod| text_of::<'_>((*pod.0).uid) == uid) {
        return 0;
    }
    outside.decided.lock().unwrap().push((uid.into(), reason));
    1
}
unsafe extern "C" fn allow(host: *const berth_host, uid: berth_str) -> i32 {
    decide(host, uid, None)
}
unsafe extern "C" fn reject(host: *const berth_host, uid: berth_str, reason: berth_str) -> i32 {
    decide(host, uid, Some(text_of::<'_>(reason).into()))
}
pub(crate) const WAITING: berth_waiting =
    berth_waiting { size: size_of::<berth_waiting>() as u32, rsv: 0, each: Some(each), allow: Some(allow), reject: Some(reject) };

impl FakeHost {
    fn answer(&self, open: Open, code: i32, body: &str, reason: &str, message: &str) {
        let (body, reason, message) = (borrow(body), borrow(reason), borrow(message));
        let reply = berth_api_reply { size: size_of::<berth_api_reply>() as u32, code, body, reason, message };
        self.told(|| unsafe { (open.done)(open.ctx, &reply) })
    }
    pub fn end_requests(&self) {
        let open = std::mem::take(&mut *self.beside.outside.open.lock().unwrap());
        open.into_iter().for_each(|open| self.answer(open, 0, "", "", "the host ends"))
    }
}

impl PluginUnderTest {
    /// Everything that was asked of the API server, the oldest first.
    pub fn requests(&self) -> Vec<SentRequest> {
        self.host.beside.outside.sent.lock().unwrap().clone()
    }
    /// Answers the oldest request that has no answer yet. False: there is none.
    pub fn reply(&self, code: i32, body: &str, reason: &str, message: &str) -> bool {
        let mut open = self.host.beside.outside.open.lock().unwrap();
        let oldest = (!open.is_empty()).then(|| open.remove(0));
        drop(open); // the plugin may send another
        oldest.map(|oldest| self.host.answer(oldest, code, body, reason, message)).is_some()
    }
    /// Events: "pod: kind reason action: note".
    pub fn events(&self) -> Vec<String> {
        self.host.beside.outside.events.lock().unwrap().clone()
    }
    /// (pod, node) of each Binding that the plugin had the host send.
    pub fn bound(&self) -> Vec<(String, String)> {
        self.host.beside.outside.bound.lock().unwrap().clone()
    }
    /// A pod that waits in Permit.
    pub fn add_waiting(&self, pod: &FakePod) {
        let view = self.host.pod(pod);
        self.host.beside.outside.waiting.lock().unwrap().push(Waiting(view))
    }
    /// What the plugin decided of waiting pods: (uid, why it was rejected, or None where it may go on).
    pub fn decided(&self) -> Vec<(String, Option<String>)> {
        self.host.beside.outside.decided.lock().unwrap().clone()
    }
}
