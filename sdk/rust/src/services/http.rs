//! Requests to servers other than the API server, and JSON texts. `BERTH_SERVICE_HTTP`, `BERTH_SERVICE_JSON`.
use crate::abi::*;
use crate::host::{ask, borrow, Core, Host};
use crate::services::api::{replied, ApiReply, Waiting};
use crate::value::Value;
use std::mem::size_of;
use std::os::raw::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::time::Duration;

/// One GET request. `HttpRequest { url: "http://10.0.0.7:2020/watcher", ..Default::default() }`
#[derive(Clone, Copy)]
pub struct HttpRequest<'a> {
    /// http or https, host, port, path, and query.
    pub url: &'a str,
    /// "Bearer ...", or "".
    pub authorization: &'a str,
    /// The server's certificate is not verified.
    pub insecure: bool,
    /// Without traffic in either direction. 30 seconds by default.
    pub timeout: Duration,
}

impl Default for HttpRequest<'_> {
    fn default() -> Self {
        HttpRequest { url: "", authorization: "", insecure: false, timeout: Duration::from_secs(30) }
    }
}

struct Reading<'a, F, R> {
    core: &'a Core,
    read: Option<F>,
    result: Option<std::thread::Result<R>>,
}

unsafe extern "C" fn read_document<F: FnOnce(Value) -> R, R>(ctx: *mut c_void, document: *const berth_value) {
    let reading = &mut *(ctx as *mut Reading<F, R>);
    let core = reading.core;
    if let Some(read) = reading.read.take() {
        reading.result = Some(catch_unwind(AssertUnwindSafe(|| read(Value::new(core, document)))));
    }
}

impl Host {
    /// Sends GET. `done` is called exactly once, as by [`Host::send`].
    pub fn http_get(&self, request: &HttpRequest, done: impl FnOnce(&ApiReply) + Send + 'static) {
        fn one<F: FnOnce(&ApiReply) + Send + 'static>(host: &Host, raw: &berth_http_request, done: F) {
            let get = ask!(host.0, http.get);
            let waiting = Box::new(Waiting { core: host.0.clone(), done });
            unsafe { get(host.0.raw, raw, Some(replied::<F>), Box::into_raw(waiting) as *mut c_void) }
        }
        let raw = berth_http_request {
            size: size_of::<berth_http_request>() as u32,
            flags: if request.insecure { BERTH_HTTP_INSECURE } else { 0 },
            url: borrow(request.url),
            authorization: borrow(request.authorization),
            timeout_ns: i64::try_from(request.timeout.as_nanos()).unwrap_or(i64::MAX),
        };
        one(self, &raw, done)
    }
    /// Calls `read` with the document of a text. None: the text is no JSON.
    pub fn read_json<R>(&self, text: &str, read: impl FnOnce(Value) -> R) -> Option<R> {
        fn one<F: FnOnce(Value) -> R, R>(host: &Host, text: &str, read: F) -> Option<R> {
            let parse = ask!(host.0, json.parse);
            let mut reading = Reading { core: &host.0, read: Some(read), result: None };
            let ctx = &mut reading as *mut Reading<F, R> as *mut c_void;
            unsafe { parse(host.0.raw, borrow(text), Some(read_document::<F, R>), ctx) };
            reading.result.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic)))
        }
        one(self, text, read)
    }
}
