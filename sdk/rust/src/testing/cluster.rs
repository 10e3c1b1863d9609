//! Nodes and pods as tests spell them, and as the ABI has them.
use crate::abi::*;
use crate::host::borrow;
use std::collections::BTreeMap;
use std::os::raw::c_void;

type Amounts = BTreeMap<String, i64>;
pub(crate) type Intern<'a> = &'a dyn Fn(&str) -> berth_id;

/// A pod. Amounts: cpu in 1/1000, everything else in whole units.
#[derive(Clone, Default)]
pub struct FakePod {
    name: String,
    labels: BTreeMap<String, String>,
    pub(crate) requests: Amounts,
    priority: i32,
}

impl FakePod {
    /// In namespace "default".
    pub fn new(name: &str) -> Self {
        FakePod { name: name.into(), ..Default::default() }
    }
    /// One more label.
    pub fn label(mut self, key: &str, value: &str) -> Self {
        self.labels.insert(key.into(), value.into());
        self
    }
    /// What it asks for.
    pub fn request(mut self, resource: &str, amount: i64) -> Self {
        self.requests.insert(resource.into(), amount);
        self
    }
    /// spec.priority
    pub fn priority(mut self, priority: i32) -> Self {
        self.priority = priority;
        self
    }
}

/// A node. Amounts: cpu in 1/1000, everything else in whole units.
#[derive(Clone, Default)]
pub struct FakeNode {
    pub(crate) name: String,
    labels: BTreeMap<String, String>,
    pub(crate) allocatable: Amounts,
    pub(crate) pods: Vec<FakePod>,
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
}

/// Something that stays where it is until the test process ends: views are never freed, tests are short.
pub(crate) fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}
pub(crate) fn leak_list<T>(values: Vec<T>) -> berth_list {
    let values = Box::leak(values.into_boxed_slice());
    let stride = std::mem::size_of::<T>() as u32;
    berth_list { ptr: values.as_ptr() as *const c_void, n: values.len() as u32, stride }
}

pub(crate) fn labels(labels: &BTreeMap<String, String>, intern: Intern) -> *const berth_labels {
    let items = labels.iter().map(|(key, value)| berth_kv { key: intern(key), value: intern(value) }).collect();
    leak(berth_labels { size: std::mem::size_of::<berth_labels>() as u32, content: 0, items: leak_list(items) })
}
pub(crate) fn amounts(amounts: &Amounts, intern: Intern) -> berth_list {
    let items = amounts.iter().map(|(name, value)| berth_amount { name: intern(name), flags: 0, value: *value });
    leak_list(items.collect())
}

/// A block of a pod that has nothing of the kind.
fn empty<T: Copy + 'static>() -> *const T {
    // Blocks are made of integers, lists and ids: zero is a value of each.
    let mut block: T = unsafe { std::mem::zeroed() };
    unsafe { *(&mut block as *mut T as *mut u32) = std::mem::size_of::<T>() as u32 };
    leak(block)
}

pub(crate) fn pod_view(pod: &FakePod, intern: Intern) -> &'static berth_pod {
    let name: &'static String = leak(pod.name.clone());
    leak(berth_pod {
        size: std::mem::size_of::<berth_pod>() as u32,
        priority: pod.priority,
        has: if pod.priority != 0 { BERTH_POD_HAS_PRIORITY as u64 } else { 0 },
        uid: borrow(name),
        name: borrow(name),
        ns: intern("default"),
        scheduler_name: intern("default-scheduler"),
        creation_unix_ns: BERTH_NO_TIME,
        deletion_unix_ns: BERTH_NO_TIME,
        start_unix_ns: BERTH_NO_TIME,
        node_name: BERTH_ID_ABSENT,
        nominated_node: BERTH_ID_ABSENT,
        labels: labels(&pod.labels, intern),
        images: empty(),
        resources: empty(),
        ports: empty(),
        tolerations: empty(),
        node_affinity: empty(),
        gates: empty(),
        pod_affinity: empty(),
        spread: empty(),
        volumes: empty(),
        claims: empty(),
        controller: empty(),
        preemption_policy: BERTH_ID_ABSENT,
        priority_class: BERTH_ID_ABSENT,
        generation: 0,
    })
}

pub(crate) fn node_view(node: &FakeNode, intern: Intern) -> &'static berth_node {
    leak(berth_node {
        size: std::mem::size_of::<berth_node>() as u32,
        unschedulable: node.unschedulable as u32,
        name: intern(&node.name),
        rsv: 0,
        labels: labels(&node.labels, intern),
        taints: leak_list(Vec::<berth_taint>::new()),
        allocatable: amounts(&node.allocatable, intern),
        declared_features: leak_list(Vec::<berth_id>::new()),
    })
}
