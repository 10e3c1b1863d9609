//! A fake host around one instance of a plugin, for its unit tests.
//!
//! ```ignore
//! let mut plugin = PluginUnderTest::new(berth_entry_v1, "spareRoom").args(Json::object([("label", "pool".into())]));
//! plugin.add(FakeNode::new("n1").allocatable("cpu", 4000));
//! plugin.start().unwrap();
//! let attempt = plugin.attempt(FakePod::new("p"));
//! assert_eq!(attempt.score().unwrap()["n1"], 100);
//! ```
//!
//! It is the fake host of the SDK's C++ layer, which comes as libberth_test_host.so. The environment variable
//! BERTH_TEST_HOST is the path of that library. Without it, tests use the one in the lib folder of the SDK that this
//! crate is installed with, and then one that the dynamic linker finds.
//!
//! It makes every call that a host makes, and offers every service except nominations and extenders. Trials ask the plugin's
//! own Filter. Between the first and the second node there is a row without a node.
//!
//! It also checks the plugin: host functions where they may not be called, writes outside of what a call may write, reasons
//! of another call, operations that never end, scores outside of 0 to 100, and different answers for dense and sparse rows.
//! A test that does not check such [`PluginUnderTest::violations`] panics when the plugin is dropped.
mod attempt;
mod calls;
mod cluster;
mod json;
mod library;
mod outside;

pub use attempt::{Attempt, Nominated, Outcome, PerNode, Started};
pub use calls::{FakeDelta, FakeEvent, FakeQueued};
pub use cluster::{FakeNode, FakeObject, FakePod};
pub use json::Json;
pub use library::Entry;
pub use outside::SentRequest;

use library::Handle;
use std::rc::Rc;

/// One instance, and its cluster.
pub struct PluginUnderTest {
    host: Rc<Handle>,
    of: (usize, String), // the entry, and the name
}

impl PluginUnderTest {
    /// Calls nothing yet. Panics if there is no libberth_test_host.so.
    pub fn new(entry: Entry, name: &str) -> Self {
        PluginUnderTest { host: Rc::new(Handle::open(entry, name)), of: (entry as usize, name.into()) }
    }
    /// Sets the args of the profile; call it before `start`.
    pub fn args(self, args: Json) -> Self {
        self.host.call("args", Json::object([("args", args)]));
        self
    }
    /// Sets the seed of every attempt.
    pub fn seed(self, seed: u64) -> Self {
        self.host.call("seed", Json::object([("seed", (seed as i64).into())]));
        self
    }
    /// Adds a node. Attempts use the nodes that exist when they begin.
    pub fn add(&mut self, node: FakeNode) -> &mut Self {
        self.host.call("add_node", node.json());
        self
    }
    /// create, init, activate. The error is the plugin's text.
    pub fn start(&mut self) -> Result<(), String> {
        Outcome::of(&self.call("start")).map(|_| ())
    }
    /// As `start`, as a change of args does: if `before`, an active instance of the same plugin, offers `succession`,
    /// its prepare replaces create. `commit` publishes it; otherwise it is dropped.
    pub fn start_from(&mut self, before: &PluginUnderTest) -> Result<(), String> {
        assert_eq!(self.of, before.of, "both must be of the same plugin");
        Outcome::of(&self.host.start_from(&before.host)).map(|_| ())
    }
    /// Publishes this instance, which `start_from` made.
    pub fn commit(&self, before: &PluginUnderTest) {
        self.host.commit(&before.host)
    }
    /// An attempt for this pod.
    pub fn attempt(&self, pod: FakePod) -> Attempt<'_> {
        Attempt::new(self, &pod)
    }
    /// The lines that the plugin logged: the message and ` key="value"` of each field.
    pub fn log(&self) -> Vec<String> {
        let line = |line: &Json| {
            let fields = line.list("fields").iter().map(|field| match field {
                Json::Array(pair) => format!(" {}={:?}", pair[0].as_text(), pair[1].as_text()),
                other => panic!("the fake host answers {other:?} as a field"),
            });
            line.text("message") + &fields.collect::<String>()
        };
        self.call("log").list("lines").iter().map(line).collect()
    }
    /// The series of the plugin's metrics, by name: `name{label="value"}` and its value, or how many values a histogram got.
    pub fn metrics(&self) -> Vec<String> {
        self.call("metrics").texts("texts")
    }
    /// Why calls without a status failed, as the plugin reported to the host.
    pub fn faults(&self) -> Vec<String> {
        self.call("faults").texts("texts")
    }
    /// The rules of the ABI that the plugin has broken. After this call the drop no longer panics, so the test must
    /// check the result.
    pub fn violations(&self) -> Vec<String> {
        self.call("violations").texts("texts")
    }
    /// Calls deactivate and destroy. Without it, the drop calls them.
    pub fn stop(&mut self) {
        self.call("stop");
    }
    /// The completed args, before an instance exists, or their errors: "path: text".
    pub fn complete(&self, args: Json) -> Result<String, Vec<String>> {
        let answer = self.host.call("complete", Json::object([("args", args)]));
        let errors = answer.list("errors").iter().map(|error| format!("{}: {}", error.text("path"), error.text("text")));
        let errors: Vec<String> = errors.collect();
        if errors.is_empty() { Ok(answer.text("json")) } else { Err(errors) }
    }

    fn call(&self, verb: &str) -> Json {
        self.host.call(verb, Json::object([]))
    }
}

impl Drop for PluginUnderTest {
    fn drop(&mut self) {
        self.stop();
        let unseen = self.call("unseen_violations").texts("texts");
        if !unseen.is_empty() && !std::thread::panicking() {
            panic!("the plugin breaks rules of the ABI:\n  {}", unseen.join("\n  "));
        }
    }
}
