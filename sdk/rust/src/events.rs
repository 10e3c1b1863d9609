//! Event registrations and hints: the events after which the host retries a rejected pod.
use crate::abi::*;
use crate::cycle::Cycle;
use crate::host::{borrow, text_of, Core};
use crate::plugin::Plugin;
use crate::status::Error;
use crate::value::Value;
use crate::views::{NodeRecord, Pod, Pods};
use std::borrow::Cow;

/// A kind of event that may help a pod which this plugin rejected.
#[derive(Clone, Copy, Debug)]
pub struct Interest {
    /// "Pod", "Node", "storage.k8s.io/CSINode", "*".
    pub resource: &'static str,
    /// `constants::BERTH_ACTION_*`
    pub actions: u32,
}

/// Which events may help. Without this trait, every event retries the pod.
pub trait Events: Plugin {
    /// None: no event ever helps.
    const INTERESTS: &'static [Interest];
}

/// An [`Interest`] that is created while the plugin runs, and whether the plugin evaluates such events itself.
#[derive(Clone, Debug)]
pub struct Registration {
    /// "Pod", "Node", "storage.k8s.io/CSINode", "*".
    pub resource: Cow<'static, str>,
    /// `constants::BERTH_ACTION_*`
    pub actions: u32,
    /// The host calls [`Hints::hint`]; otherwise every such event retries the pod.
    pub asks: bool,
}

impl Registration {
    /// A registration with hints.
    pub fn new(resource: impl Into<Cow<'static, str>>, actions: u32) -> Self {
        Registration { resource: resource.into(), actions, asks: true }
    }
}

/// Registers without hints.
impl From<Interest> for Registration {
    fn from(interest: Interest) -> Self {
        Registration { resource: interest.resource.into(), actions: interest.actions, asks: false }
    }
}

/// Which events may help which pods. Use it instead of [`Events`].
pub trait Hints: Plugin {
    /// Called once, after activate. None: no event ever helps.
    fn registrations(&self) -> Vec<Registration>;
    /// Whether this event may make this pod schedulable, which this plugin rejected. An error counts as yes. There is
    /// no snapshot.
    fn hint(&self, cycle: &Cycle, event: &Event, pod: &Pod) -> Result<bool, Error>;
    /// The same for many pods: `queue[i]` is false at first, and belongs to the i-th pod.
    fn hints(&self, cycle: &Cycle, event: &Event, pods: &Pods, queue: &mut [bool]) -> Result<(), Error> {
        for (pod, queue) in pods.iter().zip(queue) {
            *queue = self.hint(cycle, event, &pod)?;
        }
        Ok(())
    }
}

/// A cluster event.
#[derive(Clone, Copy)]
pub struct Event<'a> {
    core: &'a Core,
    raw: &'a berth_event,
}

impl<'a> Event<'a> {
    pub(crate) unsafe fn new(core: &'a Core, raw: *const berth_event) -> Self {
        Event { core, raw: &*raw }
    }
    /// The matching registration: its place in the list.
    pub fn registration(&self) -> usize {
        self.raw.interest as usize
    }
    /// What happened: `constants::BERTH_ACTION_*`, one or several updates.
    pub fn actions(&self) -> u32 {
        self.raw.actions
    }
    /// "Node", "AssignedPod", "UnschedulablePod", ...
    pub fn resource(&self) -> &'a str {
        unsafe { text_of(self.raw.resource) }
    }
    /// For an event about a pod: the old pod.
    pub fn old_pod(&self) -> Option<Pod<'a>> {
        unsafe { Pod::maybe(self.core, self.raw.old_pod) }
    }
    /// For an event about a pod: the new pod.
    pub fn new_pod(&self) -> Option<Pod<'a>> {
        unsafe { Pod::maybe(self.core, self.raw.new_pod) }
    }
    /// For an event about a node: the old node.
    pub fn old_node(&self) -> Option<NodeRecord<'a>> {
        unsafe { NodeRecord::maybe(self.raw.old_node) }
    }
    /// For an event about a node: the new node.
    pub fn new_node(&self) -> Option<NodeRecord<'a>> {
        unsafe { NodeRecord::maybe(self.raw.new_node) }
    }
    /// For an event about another object: the old object; null if there was none.
    pub fn old_value(&self) -> Value<'a> {
        Value::new(self.core, self.raw.old_value)
    }
    /// For an event about another object: the new object; null if there is none.
    pub fn new_value(&self) -> Value<'a> {
        Value::new(self.core, self.raw.new_value)
    }
}

/// The registrations of an instance, and their texts: both live as long as the instance.
pub(crate) struct Registered {
    raw: Vec<berth_interest>,
    _texts: Vec<Registration>,
}
// Immutable from now on.
unsafe impl Send for Registered {}

impl Registered {
    pub fn new(wanted: Vec<Registration>) -> Self {
        let raw = |one: &Registration| berth_interest {
            resource: borrow(&one.resource),
            actions: one.actions,
            flags: if one.asks { BERTH_INTEREST_HINT } else { 0 },
        };
        Registered { raw: wanted.iter().map(raw).collect(), _texts: wanted }
    }
    /// The registrations of a plugin whose call panicked: too many retries are better than none.
    pub fn everything() -> Self {
        Registered::new(vec![Registration { resource: "*".into(), actions: BERTH_ACTION_ALL, asks: false }])
    }
    pub fn list(&self) -> berth_list {
        let stride = std::mem::size_of::<berth_interest>() as u32;
        berth_list { ptr: self.raw.as_ptr() as *const _, n: self.raw.len() as u32, stride }
    }
}
