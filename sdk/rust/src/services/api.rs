//! Requests to the API server, and Events. `BERTH_SERVICE_API`.
use crate::abi::*;
use crate::guard;
use crate::host::{ask, borrow, text_of, Core, Host};
use crate::views::Pod;
use std::mem::size_of;
use std::os::raw::c_void;
use std::sync::Arc;

/// One request. `ApiRequest { verb: "DELETE", resource: "pods", namespace: "default", name: "p", ..Default::default() }`
#[derive(Clone, Copy)]
pub struct ApiRequest<'a> {
    /// "GET" "POST" "PUT" "PATCH" "DELETE"
    pub verb: &'a str,
    /// "" is the core.
    pub group: &'a str,
    /// "v1" by default.
    pub version: &'a str,
    /// "pods"
    pub resource: &'a str,
    /// "" for cluster-scoped objects.
    pub namespace: &'a str,
    /// "" for all.
    pub name: &'a str,
    /// "status"
    pub subresource: &'a str,
    /// The body's type: "application/json" by default.
    pub content_type: &'a str,
    /// JSON, or "".
    pub body: &'a str,
}

impl Default for ApiRequest<'_> {
    fn default() -> Self {
        let (version, content_type) = ("v1", "application/json");
        ApiRequest {
            verb: "GET", group: "", version, resource: "", namespace: "", name: "", subresource: "", content_type, body: "",
        }
    }
}

/// The server's reply.
#[derive(Clone, Copy, Debug)]
pub struct ApiReply<'a> {
    /// The HTTP status; 0: there was no answer, and the server may or may not have executed the request.
    pub code: i32,
    /// JSON.
    pub body: &'a str,
    /// The reason of a refusal: "NotFound", "Conflict", ...
    pub reason: &'a str,
    /// For a refusal: the server's message; without an answer: the error.
    pub message: &'a str,
}

impl ApiReply<'_> {
    /// 200 to 299.
    pub fn ok(&self) -> bool {
        (200..300).contains(&self.code)
    }
}

pub(super) struct Waiting<F> {
    pub core: Arc<Core>,
    pub done: F,
}

pub(super) unsafe extern "C" fn replied<F: FnOnce(&ApiReply) + Send + 'static>(ctx: *mut c_void, raw: *const berth_api_reply) {
    let Waiting { core, done } = *Box::from_raw(ctx as *mut Waiting<F>);
    guard::logged(&core, "taking a reply", || {
        let raw = &*raw;
        done(&ApiReply { code: raw.code, body: text_of(raw.body), reason: text_of(raw.reason), message: text_of(raw.message) })
    })
}

impl Host {
    /// `done` is called exactly once, on any thread, with code 0 when the host or the instance ends first. It must not
    /// block. A panic is logged.
    pub fn send(&self, request: &ApiRequest, done: impl FnOnce(&ApiReply) + Send + 'static) {
        fn one<F: FnOnce(&ApiReply) + Send + 'static>(host: &Host, raw: &berth_api_request, done: F) {
            let send = ask!(host.0, api.send);
            let waiting = Box::new(Waiting { core: host.0.clone(), done });
            unsafe { send(host.0.raw, raw, Some(replied::<F>), Box::into_raw(waiting) as *mut c_void) }
        }
        let raw = berth_api_request {
            size: size_of::<berth_api_request>() as u32,
            rsv: 0,
            verb: borrow(request.verb),
            group: borrow(request.group),
            version: borrow(request.version),
            resource: borrow(request.resource),
            ns: borrow(request.namespace),
            name: borrow(request.name),
            subresource: borrow(request.subresource),
            content_type: borrow(if request.body.is_empty() { "" } else { request.content_type }),
            body: borrow(request.body),
        };
        one(self, &raw, done)
    }
    /// An Event about a pod; kind: "Normal" or "Warning". Never blocks.
    pub fn event(&self, regarding: &Pod, related: Option<&Pod>, kind: &str, reason: &str, action: &str, note: &str) {
        let related = related.map_or(std::ptr::null(), |pod| pod.raw() as *const berth_pod);
        let (kind, reason, action, note) = (borrow(kind), borrow(reason), borrow(action), borrow(note));
        unsafe { ask!(self.0, api.event)(self.0.raw, regarding.raw(), related, kind, reason, action, note) }
    }
    /// Keeps the current version of the pod after the call that showed it.
    pub fn keep_pod(&self, pod: &Pod) -> KeptPod {
        unsafe { ask!(self.0, api.keep_pod)(self.0.raw, pod.raw()) }
        KeptPod { host: self.clone(), raw: pod.raw() }
    }
}

/// A pod that stays readable: until this is dropped, and no longer than the plugin.
pub struct KeptPod {
    host: Host,
    raw: *const berth_pod,
}
// A kept record does not change, and any thread may change its reference count.
unsafe impl Send for KeptPod {}
unsafe impl Sync for KeptPod {}

impl KeptPod {
    /// The pod.
    pub fn pod(&self) -> Pod<'_> {
        unsafe { Pod::new(&self.host.0, self.raw) }
    }
}
impl Clone for KeptPod {
    fn clone(&self) -> Self {
        self.host.keep_pod(&self.pod())
    }
}
impl Drop for KeptPod {
    fn drop(&mut self) {
        if let Some(drop_pod) = self.host.0.services.api.drop_pod {
            unsafe { drop_pod(self.host.0.raw, self.raw) }
        }
    }
}
