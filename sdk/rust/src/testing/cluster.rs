//! Nodes, pods, and other objects for tests.
use super::json::Json;
use std::collections::BTreeMap;

/// A pod. Amounts: cpu in 1/1000, everything else in whole units.
#[derive(Clone, Default)]
pub struct FakePod {
    name: String,
    labels: BTreeMap<String, String>,
    requests: BTreeMap<String, i64>,
    priority: i32,
}

impl FakePod {
    /// In namespace "default". Its uid is its name.
    pub fn new(name: &str) -> Self {
        FakePod { name: name.into(), ..Default::default() }
    }
    /// One more label.
    pub fn label(mut self, key: &str, value: &str) -> Self {
        self.labels.insert(key.into(), value.into());
        self
    }
    /// Adds a request.
    pub fn request(mut self, resource: &str, amount: i64) -> Self {
        self.requests.insert(resource.into(), amount);
        self
    }
    /// spec.priority
    pub fn priority(mut self, priority: i32) -> Self {
        self.priority = priority;
        self
    }
    pub(super) fn json(&self) -> Json {
        let (name, uid) = (self.name.clone().into(), self.name.clone().into());
        let (labels, requests) = (Json::map(&self.labels), Json::map(&self.requests));
        Json::object([("name", name), ("uid", uid), ("labels", labels), ("requests", requests)])
            .with("priority", (self.priority != 0).then(|| i64::from(self.priority).into()))
    }
}

/// A node. Amounts: cpu in 1/1000, everything else in whole units.
#[derive(Clone, Default)]
pub struct FakeNode {
    name: String,
    labels: BTreeMap<String, String>,
    allocatable: BTreeMap<String, i64>,
    pods: Vec<FakePod>,
    unschedulable: bool,
}

impl FakeNode {
    /// With nothing allocatable yet.
    pub fn new(name: &str) -> Self {
        FakeNode { name: name.into(), ..Default::default() }
    }
    /// One more label.
    pub fn label(mut self, key: &str, value: &str) -> Self {
        self.labels.insert(key.into(), value.into());
        self
    }
    /// status.allocatable
    pub fn allocatable(mut self, resource: &str, amount: i64) -> Self {
        self.allocatable.insert(resource.into(), amount);
        self
    }
    /// A pod that runs there.
    pub fn pod(mut self, pod: FakePod) -> Self {
        self.pods.push(pod);
        self
    }
    /// spec.unschedulable
    pub fn unschedulable(mut self) -> Self {
        self.unschedulable = true;
        self
    }
    pub(super) fn json(&self) -> Json {
        Json::object([
            ("name", self.name.clone().into()),
            ("labels", Json::map(&self.labels)),
            ("allocatable", Json::map(&self.allocatable)),
            ("unschedulable", self.unschedulable.into()),
            ("pods", Json::Array(self.pods.iter().map(FakePod::json).collect())),
        ])
    }
}

/// An object of any kind.
#[derive(Clone, Default)]
pub struct FakeObject {
    name: String,
    namespace: String,
    labels: BTreeMap<String, String>,
    value: Option<Json>,
}

impl FakeObject {
    /// Without a namespace.
    pub fn new(name: &str) -> Self {
        FakeObject { name: name.into(), ..Default::default() }
    }
    /// metadata.namespace
    pub fn namespace(mut self, namespace: &str) -> Self {
        self.namespace = namespace.into();
        self
    }
    /// One more label.
    pub fn label(mut self, key: &str, value: &str) -> Self {
        self.labels.insert(key.into(), value.into());
        self
    }
    /// The document. The fake host adds name, namespace, and labels, if it has no metadata.
    pub fn value(mut self, value: Json) -> Self {
        self.value = Some(value);
        self
    }
    pub(super) fn json(&self, kind: &str) -> Json {
        let (name, namespace) = (self.name.clone().into(), self.namespace.clone().into());
        Json::object([("kind", kind.into()), ("name", name), ("namespace", namespace), ("labels", Json::map(&self.labels))])
            .with("document", self.value.clone())
    }
}
