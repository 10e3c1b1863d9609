//! The calls outside of attempts: the queue, events, deltas, the handover.
use super::attempt::Outcome;
use super::cluster::{FakeNode, FakePod};
use super::json::Json;
use super::PluginUnderTest;
use crate::constants::*;

/// A pod in the queue; times in Unix nanoseconds.
#[derive(Clone)]
#[allow(missing_docs)]
pub struct FakeQueued {
    pub pod: FakePod,
    pub attempts: u32,
    pub queued: i64,
    pub initial_attempt: Option<i64>,
}

impl FakeQueued {
    /// Queued at time 0, never tried.
    pub fn new(pod: FakePod) -> Self {
        FakeQueued { pod, attempts: 0, queued: 0, initial_attempt: None }
    }
    fn json(&self) -> Json {
        let (attempts, queued) = (i64::from(self.attempts).into(), self.queued.into());
        Json::object([("pod", self.pod.json()), ("attempts", attempts), ("queued", queued)])
            .with("initial_attempt", self.initial_attempt.map(Json::Int))
    }
}

/// A cluster event. Leave out what does not apply.
#[derive(Clone, Default)]
#[allow(missing_docs)]
pub struct FakeEvent {
    pub resource: &'static str,
    pub actions: u32,
    pub registration: u32,
    pub old_pod: Option<FakePod>,
    pub new_pod: Option<FakePod>,
    pub old_node: Option<FakeNode>,
    pub new_node: Option<FakeNode>,
    pub old_value: Option<Json>,
    pub new_value: Option<Json>,
}

impl FakeEvent {
    fn json(&self) -> Json {
        let (actions, interest) = (i64::from(self.actions).into(), i64::from(self.registration).into());
        Json::object([("resource", self.resource.into()), ("actions", actions), ("interest", interest)])
            .with("old_pod", self.old_pod.as_ref().map(FakePod::json))
            .with("new_pod", self.new_pod.as_ref().map(FakePod::json))
            .with("old_node", self.old_node.as_ref().map(FakeNode::json))
            .with("new_node", self.new_node.as_ref().map(FakeNode::json))
            .with("old_value", self.old_value.clone())
            .with("new_value", self.new_value.clone())
    }
}

/// A change of a row.
#[derive(Clone)]
#[allow(missing_docs)]
pub enum FakeDelta {
    NodeAdded(u32, FakeNode),
    NodeChanged(u32, FakeNode),
    NodeRemoved(u32, FakeNode),
    PodAdded(u32, FakePod),
    PodRemoved(u32, FakePod),
}

impl FakeDelta {
    fn json(&self) -> Json {
        let (kind, row, key, value) = match self {
            FakeDelta::NodeAdded(row, node) => (BERTH_DELTA_NODE_ADD, row, "node", node.json()),
            FakeDelta::NodeChanged(row, node) => (BERTH_DELTA_NODE_CHANGE, row, "node", node.json()),
            FakeDelta::NodeRemoved(row, node) => (BERTH_DELTA_NODE_REMOVE, row, "node", node.json()),
            FakeDelta::PodAdded(row, pod) => (BERTH_DELTA_POD_ADD, row, "pod", pod.json()),
            FakeDelta::PodRemoved(row, pod) => (BERTH_DELTA_POD_REMOVE, row, "pod", pod.json()),
        };
        Json::object([("kind", i64::from(kind).into()), ("row", i64::from(*row).into()), (key, value)])
    }
}

fn state(answer: Json) -> Vec<u8> {
    answer.list("state").iter().map(|byte| byte.as_int() as u8).collect()
}

impl PluginUnderTest {
    /// Whether the first pod comes before the second.
    pub fn less(&self, a: &FakeQueued, b: &FakeQueued) -> bool {
        self.host.call("less", Json::object([("a", a.json()), ("b", b.json())])).is("less")
    }
    /// (resource, actions, whether the host calls hints)
    pub fn interests(&self) -> Vec<(String, u32, bool)> {
        let answer = self.call("interests");
        let told = |one: &Json| (one.text("resource"), one.int("actions") as u32, one.is("hint"));
        answer.list("interests").iter().map(told).collect()
    }
    /// Whether the event may help these pods, which the plugin rejected.
    pub fn hints(&self, event: &FakeEvent, pods: &[FakePod]) -> Result<Vec<bool>, String> {
        let pods = Json::Array(pods.iter().map(FakePod::json).collect());
        let answer = self.host.call("hints", Json::object([("event", event.json()), ("pods", pods)]));
        Outcome::of(&answer).map(|_| answer.list("queue").iter().map(|one| one == &Json::Bool(true)).collect())
    }

    /// Changes of rows, in one call: only of the kinds that the plugin requests.
    pub fn deltas(&self, changes: &[FakeDelta]) {
        let changes = Json::Array(changes.iter().map(FakeDelta::json).collect());
        self.host.call("deltas", Json::object([("changes", changes)]));
    }
    /// The plugin's counts as text.
    pub fn dump(&self) -> String {
        self.call("dump").text("text")
    }

    /// The state for the instance that replaces this one.
    pub fn save(&self) -> Vec<u8> {
        state(self.call("save"))
    }
    /// The state of the instance that this one replaces.
    pub fn load(&self, version: &str, state: &[u8]) -> Result<Outcome, String> {
        Outcome::of(&self.host.call("load", Json::object([("version", version.into()), ("state", Json::bytes(state))])))
    }
    /// What this instance holds for an open attempt.
    pub fn describe(&self, pod: &FakePod, node: &str) -> Vec<u8> {
        state(self.host.call("describe", Json::object([("pod", pod.json()), ("node", node.into())])))
    }
    /// An open attempt of the other instance.
    pub fn adopt(&self, pod: &FakePod, node: &str, state: &[u8]) {
        let document = [("pod", pod.json()), ("node", node.into()), ("state", Json::bytes(state))];
        self.host.call("adopt", Json::object(document));
    }
    /// It has ended.
    pub fn settle(&self, pod: &FakePod, bound: bool) {
        self.host.call("settle", Json::object([("pod", pod.json()), ("bound", bound.into())]));
    }
}
