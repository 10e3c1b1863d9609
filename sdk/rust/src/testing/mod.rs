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
//! It offers what the traits of this crate use: strings, args, the log, nodes with their pods, labels, allocatable and
//! requested resources, data on the cycle, reasons. Give the plugin to `berthctl plugin validate` for the rest.
mod attempt;
mod cluster;
mod json;
mod services;

pub use attempt::{Attempt, Outcome};
pub use cluster::{FakeNode, FakePod};
pub use json::Json;

use crate::abi::*;
use crate::host::{borrow, text_of};
use services::FakeHost;
use std::ffi::CString;
use std::os::raw::{c_char, c_void};

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
    /// One more node, in the next row.
    pub fn add(&mut self, node: FakeNode) -> &mut Self {
        self.host.add(node);
        self
    }
    /// create, init, activate. The error is the plugin's text.
    pub fn start(&mut self) -> Result<(), String> {
        unsafe {
            let create = self.entry.create.expect("create");
            self.instance = create(self.name.as_ptr(), self.host.raw());
            assert!(!self.instance.is_null(), "the library has no plugin {:?}", self.name);
            for stage in [(*self.instance).init, (*self.instance).activate] {
                let status = stage.expect("init and activate")(self.instance);
                self.host.take(status)?;
            }
        }
        self.active = true;
        Ok(())
    }
    /// An attempt for this pod.
    pub fn attempt(&self, pod: FakePod) -> Attempt<'_> {
        Attempt::new(self, pod)
    }
    /// The lines that the plugin logged.
    pub fn log(&self) -> Vec<String> {
        self.host.log.borrow().clone()
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
        assert!(!self.instance.is_null(), "the plugin is not started");
        unsafe {
            let asked = format!("{id}\0");
            let extension = (*self.instance).extension.expect("extension");
            table(extension(self.instance, asked.as_ptr() as *const c_char), id)
        }
    }
    pub(crate) fn intern(&self, text: &str) -> berth_id {
        unsafe { (*self.host.raw()).intern.expect("intern")(self.host.raw(), borrow(text)) }
    }
}

impl Drop for PluginUnderTest {
    fn drop(&mut self) {
        if self.instance.is_null() {
            return;
        }
        unsafe {
            if self.active {
                (*self.instance).deactivate.expect("deactivate")(self.instance);
            }
            (*self.instance).destroy.expect("destroy")(self.instance);
        }
    }
}
