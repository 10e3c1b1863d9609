//! A fake host around one instance of a plugin: what its unit tests start from.
//!
//! ```ignore
//! let mut plugin = PluginUnderTest::new(berth_entry_v1, "spareRoom").args(Json::object([("label", "pool".into())]));
//! plugin.add(FakeNode::new("n1").allocatable("cpu", 4000));
//! plugin.start().unwrap();
//! let attempt = plugin.attempt(FakePod::new("p"));
//! assert_eq!(attempt.score().unwrap()["n1"], 100);
//! ```
//!
//! It makes every call that a host makes. Of services it offers strings, args, the log, nodes with their pods, labels,
//! allocatable and requested resources, domains, data on the cycle, reasons, seeds, trials (of the plugin's own Filter), the
//! binder, waiting pods, tasks, requests to the API server, and other objects. Selectors, counts of pods, nominations and
//! extenders it lacks: what uses them meets them in `berthctl plugin validate`, in `berthctl simulate`, or on the SDK's fake
//! host in C++, whose `PluginUnderTest::Load` takes any library.
mod attempt;
mod attempt_binding;
mod beside;
mod calls;
mod cluster;
mod json;
mod objects;
mod outside;
mod services;
mod trial;

pub use attempt::{Attempt, Nominated, Outcome, PerNode};
pub use attempt_binding::Started;
pub use calls::{FakeDelta, FakeEvent, FakeQueued};
pub use cluster::{FakeNode, FakePod};
pub use json::Json;
pub use objects::FakeObject;
pub use outside::SentRequest;

use crate::abi::*;
use crate::host::{borrow, text_of};
use services::{FakeCycle, FakeHost};
use std::ffi::CString;
use std::os::raw::{c_char, c_void};
use std::sync::atomic::AtomicBool;

/// What `library!` exports.
pub type Entry = extern "C" fn(u32) -> *const berth_entry;

/// One instance, and the cluster it sees.
pub struct PluginUnderTest {
    entry: &'static berth_entry,
    name: CString,
    host: Box<FakeHost>,
    instance: *mut berth_plugin,
    active: bool,
}

/// A table of the instance or of its library.
pub(crate) unsafe fn table<T>(raw: *const c_void, what: &str) -> &'static T {
    (raw as *const T).as_ref().unwrap_or_else(|| panic!("the plugin offers no {what}"))
}

impl PluginUnderTest {
    /// Nothing is called yet.
    pub fn new(entry: Entry, name: &str) -> Self {
        let entry = unsafe { entry(BERTH_ABI_MINOR).as_ref() }.expect("berth_entry_v1 answered NULL");
        let name = CString::new(name).expect("a name without NUL");
        PluginUnderTest { entry, name, host: FakeHost::new(), instance: std::ptr::null_mut(), active: false }
    }
    /// Of the profile; before `start`.
    pub fn args(mut self, args: Json) -> Self {
        self.host.args = Some(args);
        self
    }
    /// Of every attempt.
    pub fn seed(mut self, seed: u64) -> Self {
        self.host.seed = seed;
        self
    }
    /// One more node, in the next row.
    pub fn add(&mut self, node: FakeNode) -> &mut Self {
        self.host.add(node);
        self
    }
    /// create, init, activate. The error is the plugin's text.
    pub fn start(&mut self) -> Result<(), String> {
        let create = self.entry.create.expect("create");
        self.instance = unsafe { create(self.name.as_ptr(), self.host.raw()) };
        assert!(!self.instance.is_null(), "the library has no plugin {:?}", self.name);
        self.make_ready()
    }
    /// As `start`, as a change of args does if a plugin offers `succession`: prepare of the current instance in the
    /// place of create. It comes into force with `commit`, or is dropped.
    pub fn start_from(&mut self, before: &PluginUnderTest) -> Result<(), String> {
        assert_eq!((self.entry as *const berth_entry, &self.name), (before.entry as *const berth_entry, &before.name));
        let table: &berth_succession = before.offered(BERTH_POINT_SUCCESSION);
        self.instance = unsafe { table.prepare.expect("prepare")(before.instance, self.host.raw()) };
        assert!(!self.instance.is_null(), "prepare answered NULL");
        self.make_ready()
    }
    fn make_ready(&mut self) -> Result<(), String> {
        for stage in unsafe { [(*self.instance).init, (*self.instance).activate] } {
            let status = unsafe { stage.expect("init and activate")(self.instance) };
            self.host.take(status)?;
        }
        self.active = true;
        self.tell_objects();
        Ok(())
    }
    /// An attempt for this pod.
    pub fn attempt(&self, pod: FakePod) -> Attempt<'_> {
        Attempt::new(self, pod)
    }
    /// The lines that the plugin logged.
    pub fn log(&self) -> Vec<String> {
        self.host.log.lock().unwrap().clone()
    }
    /// Why calls that have no status failed, as the plugin told the host.
    pub fn faults(&self) -> Vec<String> {
        self.host.faults.lock().unwrap().clone()
    }
    /// deactivate, destroy. Without it they come with the end of this.
    pub fn stop(&mut self) {
        let instance = std::mem::replace(&mut self.instance, std::ptr::null_mut());
        if instance.is_null() {
            return;
        }
        unsafe {
            if std::mem::replace(&mut self.active, false) {
                self.host.told(|| (*instance).deactivate.expect("deactivate")(instance))
            }
            self.host.told(|| self.host.beside.end());
            self.host.end_requests();
            self.host.told(|| (*instance).destroy.expect("destroy")(instance))
        }
    }
    /// What the args become before an instance exists, or what is wrong with them: "path: text".
    pub fn complete(&self, args: Json) -> Result<String, Vec<String>> {
        unsafe extern "C" fn error(ctx: *mut c_void, path: berth_str, text: berth_str) {
            (*(ctx as *mut (Vec<String>, String))).0.push(format!("{}: {}", text_of(path), text_of(text)))
        }
        unsafe extern "C" fn json(ctx: *mut c_void, text: berth_str) {
            (*(ctx as *mut (Vec<String>, String))).1 = text_of(text).into()
        }
        let mut answer = (Vec::new(), String::new());
        unsafe {
            let id = format!("{BERTH_LIBRARY_ARGS}\0");
            let found = self.entry.extension.expect("extension")(self.name.as_ptr(), id.as_ptr() as *const c_char);
            let judge: &berth_args = table(found, "args");
            let size = std::mem::size_of::<berth_args_sink>() as u32;
            let ctx = &mut answer as *mut _ as *mut c_void;
            let sink = berth_args_sink { size, rsv: 0, ctx, error: Some(error), json: Some(json) };
            judge.complete.expect("complete")(self.host.raw(), args.raw(), &sink);
        }
        if answer.0.is_empty() { Ok(answer.1) } else { Err(answer.0) }
    }

    pub(crate) fn offered<T>(&self, id: &str) -> &'static T {
        self.maybe_offered(id).unwrap_or_else(|| panic!("the plugin offers no {id}"))
    }
    pub(crate) fn maybe_offered<T>(&self, id: &str) -> Option<&'static T> {
        assert!(!self.instance.is_null(), "the plugin is not started");
        let asked = format!("{id}\0");
        unsafe {
            let extension = (*self.instance).extension.expect("extension");
            (extension(self.instance, asked.as_ptr() as *const c_char) as *const T).as_ref()
        }
    }
    pub(crate) fn cycle(&self, data: [*mut c_void; 2]) -> Box<FakeCycle> {
        let (instance, host) = (self.instance, &*self.host as *const FakeHost);
        let free = unsafe { (*instance).cycle_free }.expect("cycle_free");
        let (cancelled, pod) = (AtomicBool::new(false), std::ptr::null());
        Box::new(FakeCycle { host, snapshot: true, data, free, cancelled, instance, pod })
    }
    pub(crate) fn text(&self, id: berth_id) -> String {
        unsafe { text_of((*self.host.raw()).text.expect("text")(self.host.raw(), id)).to_string() }
    }
    pub(crate) fn intern(&self, text: &str) -> berth_id {
        unsafe { (*self.host.raw()).intern.expect("intern")(self.host.raw(), borrow(text)) }
    }
}

impl Drop for PluginUnderTest {
    fn drop(&mut self) {
        self.stop()
    }
}
