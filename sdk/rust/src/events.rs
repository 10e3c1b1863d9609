//! When is it worth to try a rejected pod again?
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

/// Which events may help. A plugin without this trait is asked again after every event.
pub trait Events: Plugin {
    /// None: no event ever helps.
    const INTERESTS: &'static [Interest];
}

/// An [`Interest`] that is made while the plugin runs, and whether the plugin judges such events itself.
#[derive(Clone, Debug)]
pub struct Registration {
    /// "Pod", "Node", "storage.k8s.io/CSINode", "*".
    pub resource: Cow<'static, str>,
    /// `constants::BERTH_ACTION_*`
    pub actions: u32,
    /// Ask [`Hints::hint`]; else every such event retries the pod.
    pub asks: bool,
}

impl Registration {
    /// One that asks.
    pub fn new(resource: impl Into<Cow<'static, str>>, actions: u32) -> Self {
        Registration { resource: resource.into(), actions, asks: true }
    }
}

/// Does not ask.
impl From<Interest> for Registration {
    fn from(interest: Interest) -> Self {
        Registration { resource: interest.resource.into(), actions: interest.actions, asks: false }
    }
}

/// Which events may help, and which pods. In place of [`Events`].
pub trait Hints: Plugin {
    /// Asked once, after activate. None: no event ever helps.
    fn registrations(&self) -> Vec<Registration>;
    /// May this event make this pod schedulable, which this plugin rejected? An error counts as yes. There is no snapshot.
    fn hint(&self, cycle: &Cycle, event: &Event, pod: &Pod) -> Result<bool, Error>;
    /// The same of many pods: `queue[i]` arrives false, and is of the i-th.
    fn hints(&self, cycle: &Cycle, event: &Event, pods: &Pods, queue: &mut [bool]) -> Result<(), Error> {
        for (pod, queue) in pods.iter().zip(queue) {
            *queue = self.hint(cycle, event, &pod)?;
        }
        Ok(())
    }
}

/// Something happened in the cluster.
#[derive(Clone, Copy)]
pub struct Event<'a> {
    core: &'a Core,
    raw: &'a berth_event,
}

impl<'a> Event<'a> {
    pub(crate) unsafe fn new(core: &'a Core, raw: *const berth_event) -> Self {
        Event { core, raw: &*raw }
    }
    /// Which registration it is about: its place in the list.
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
    /// Of an event about a pod, as it was.
    pub fn old_pod(&self) -> Option<Pod<'a>> {
        unsafe { Pod::maybe(self.core, self.raw.old_pod) }
    }
    /// Of an event about a pod, as it is.
    pub fn new_pod(&self) -> Option<Pod<'a>> {
        unsafe { Pod::maybe(self.core, self.raw.new_pod) }
    }
    /// Of an event about a node, as it was.
    pub fn old_node(&self) -> Option<NodeRecord<'a>> {
        unsafe { NodeRecord::maybe(self.raw.old_node) }
    }
    /// Of an event about a node, as it is.
    pub fn new_node(&self) -> Option<NodeRecord<'a>> {
        unsafe { NodeRecord::maybe(self.raw.new_node) }
    }
    /// Of an event about anything else, as it was; null where there was none.
    pub fn old_value(&self) -> Value<'a> {
        Value::new(self.core, self.raw.old_value)
    }
    /// Of an event about anything else, as it is; null where there is none.
    pub fn new_value(&self) -> Value<'a> {
        Value::new(self.core, self.raw.new_value)
    }
}

/// What an instance registered, and the texts behind it: both live as long as the instance.
pub(crate) struct Registered {
    raw: Vec<berth_interest>,
    _texts: Vec<Registration>,
}
// Nobody writes them any more.
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
    /// What a plugin gets that could not say: a pod too often is better than a pod never.
    pub fn everything() -> Self {
        Registered::new(vec![Registration { resource: "*".into(), actions: BERTH_ACTION_ALL, asks: false }])
    }
    pub fn list(&self) -> berth_list {
        let stride = std::mem::size_of::<berth_interest>() as u32;
        berth_list { ptr: self.raw.as_ptr() as *const _, n: self.raw.len() as u32, stride }
    }
}
