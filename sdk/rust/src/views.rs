//! Pods and nodes in the form that a call gets: borrowed until it returns.
use crate::abi::*;
use crate::host::{ask, text_of, Core, Id};
use crate::snapshot::Snapshot;
use std::marker::PhantomData;

/// The records of a berth_list, whatever their stride. A record of an older host may be shorter than T: such lists are
/// read only up to the fields that 1.0 has.
pub(crate) fn records<'a, T: 'a>(list: berth_list) -> impl Iterator<Item = &'a T> {
    let n = if list.ptr.is_null() { 0 } else { list.n as usize };
    (0..n).map(move |i| unsafe { &*((list.ptr as *const u8).add(i * list.stride as usize) as *const T) })
}

pub(crate) const NOTHING: berth_list = berth_list { ptr: std::ptr::null(), n: 0, stride: 0 };

/// Labels, sorted by key.
#[derive(Clone, Copy)]
pub struct Labels<'a> {
    items: berth_list,
    raw: *const berth_labels,
    life: PhantomData<&'a ()>,
}

impl<'a> Labels<'a> {
    pub(crate) fn new(raw: *const berth_labels) -> Self {
        Labels { items: unsafe { raw.as_ref() }.map_or(NOTHING, |block| block.items), raw, life: PhantomData }
    }
    pub(crate) fn raw(&self) -> *const berth_labels {
        self.raw
    }
    /// Keys and values.
    pub fn iter(&self) -> impl Iterator<Item = (Id, Id)> + 'a {
        records::<berth_kv>(self.items).map(|kv| (Id(kv.key), Id(kv.value)))
    }
    /// The value of a key.
    pub fn get(&self, key: Id) -> Option<Id> {
        self.iter().find(|(k, _)| *k == key).map(|(_, value)| value)
    }
    /// Whether there is such a key.
    pub fn has(&self, key: Id) -> bool {
        self.get(key).is_some()
    }
}

/// A pod.
#[derive(Clone, Copy)]
pub struct Pod<'a> {
    pub(crate) core: &'a Core,
    raw: &'a berth_pod,
}

impl<'a> Pod<'a> {
    pub(crate) unsafe fn new(core: &'a Core, raw: *const berth_pod) -> Self {
        Pod { core, raw: &*raw }
    }
    /// The record itself: see `berth/pod.h`.
    pub fn raw(&self) -> &'a berth_pod {
        self.raw
    }
    /// metadata.name
    pub fn name(&self) -> &'a str {
        unsafe { text_of(self.raw.name) }
    }
    /// metadata.uid
    pub fn uid(&self) -> &'a str {
        unsafe { text_of(self.raw.uid) }
    }
    /// metadata.namespace
    pub fn namespace(&self) -> Id {
        Id(self.raw.ns)
    }
    /// spec.priority, 0 if it is not set.
    pub fn priority(&self) -> i32 {
        self.raw.priority
    }
    /// metadata.labels
    pub fn labels(&self) -> Labels<'a> {
        Labels::new(self.raw.labels)
    }
    /// How much of a resource it requests, including overhead: cpu in 1/1000, everything else in whole units.
    pub fn request(&self, resource: Id) -> i64 {
        self.requests(0).find(|amount| amount.name == resource.0).map_or(0, |amount| amount.value)
    }
    /// All its requests, sorted by name; `flags` are `constants::BERTH_REQUESTS_*`.
    pub fn requests(&self, flags: u32) -> impl Iterator<Item = &'a berth_amount> {
        records(unsafe { ask!(self.core, requests.of)(self.core.raw, self.raw, flags) })
    }
    pub(crate) unsafe fn maybe(core: &'a Core, raw: *const berth_pod) -> Option<Self> {
        (!raw.is_null()).then(|| Pod::new(core, raw))
    }
}

/// Several pods.
#[derive(Clone, Copy)]
pub struct Pods<'a> {
    core: &'a Core,
    raws: &'a [*const berth_pod],
}

impl<'a> Pods<'a> {
    pub(crate) unsafe fn new(core: &'a Core, raws: *const *const berth_pod, n: u32) -> Self {
        Pods { core, raws: if n == 0 { &[] } else { std::slice::from_raw_parts(raws, n as usize) } }
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.raws.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.raws.is_empty()
    }
    /// In the order of the call's output.
    pub fn iter(&self) -> impl Iterator<Item = Pod<'a>> {
        let core = self.core;
        self.raws.iter().map(move |raw| unsafe { Pod::new(core, *raw) })
    }
}

/// A node in the form that an event or a delta shows, possibly an old version: without data of the snapshot.
#[derive(Clone, Copy)]
pub struct NodeRecord<'a>(&'a berth_node);

impl<'a> NodeRecord<'a> {
    pub(crate) unsafe fn maybe(raw: *const berth_node) -> Option<Self> {
        raw.as_ref().map(NodeRecord)
    }
    /// The record itself: see `berth/node.h`.
    pub fn raw(&self) -> &'a berth_node {
        self.0
    }
    /// metadata.name
    pub fn name(&self) -> Id {
        Id(self.0.name)
    }
    /// metadata.labels
    pub fn labels(&self) -> Labels<'a> {
        Labels::new(self.0.labels)
    }
    /// spec.unschedulable
    pub fn unschedulable(&self) -> bool {
        self.0.unschedulable != 0
    }
    /// spec.taints
    pub fn taints(&self) -> impl Iterator<Item = &'a berth_taint> {
        records(self.0.taints)
    }
    /// status.allocatable, sorted by name.
    pub fn allocatable(&self) -> impl Iterator<Item = &'a berth_amount> {
        records(self.0.allocatable)
    }
}

/// A node: a row of the cluster in the snapshot of this attempt.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    snap: Snapshot<'a>,
    row: u32,
    raw: Option<&'a berth_node>,
}

impl<'a> Node<'a> {
    pub(crate) fn new(snap: Snapshot<'a>, row: u32) -> Self {
        let raw = unsafe { ask!(snap.core, snapshot.node)(snap.raw, row).as_ref() };
        Node { snap, row, raw }
    }
    /// Its number during its whole life.
    pub fn row(&self) -> u32 {
        self.row
    }
    /// The record itself: see `berth/node.h`. None: the row belongs to no node.
    pub fn raw(&self) -> Option<&'a berth_node> {
        self.raw
    }
    /// metadata.name
    pub fn name(&self) -> Id {
        self.raw.map_or(Id::ABSENT, |node| Id(node.name))
    }
    /// metadata.labels
    pub fn labels(&self) -> Labels<'a> {
        Labels::new(self.raw.map_or(std::ptr::null(), |node| node.labels))
    }
    /// spec.unschedulable
    pub fn unschedulable(&self) -> bool {
        self.raw.map_or(false, |node| node.unschedulable != 0)
    }
    /// spec.taints
    pub fn taints(&self) -> impl Iterator<Item = &'a berth_taint> {
        records(self.raw.map_or(NOTHING, |node| node.taints))
    }
    /// status.allocatable of a resource: cpu in 1/1000, everything else in whole units.
    pub fn allocatable(&self, resource: Id) -> i64 {
        self.snap.cell(BERTH_NODE_ALLOCATABLE, resource, self.row)
    }
    /// The requests of its pods for a resource, including assumed pods.
    pub fn requested(&self, resource: Id) -> i64 {
        self.snap.cell(BERTH_NODE_REQUESTED, resource, self.row)
    }
    /// Its pods, including assumed pods.
    pub fn pods(&self) -> impl Iterator<Item = Pod<'a>> {
        let core = self.snap.core;
        let list = unsafe { ask!(core, snapshot.pods)(self.snap.raw, self.row) };
        records::<*const berth_pod>(list).map(move |pod| unsafe { Pod::new(core, *pod) })
    }    /// Host ports that its pods use.
    pub fn used_ports(&self) -> impl Iterator<Item = &'a berth_host_port> {
        records(unsafe { ask!(self.snap.core, snapshot.used_ports)(self.snap.raw, self.row) })
    }
}
