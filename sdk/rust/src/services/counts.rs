//! Topology domains, and how many pods of each row match. `BERTH_SERVICE_DOMAINS`, `BERTH_SERVICE_POD_SETS`.
use crate::abi::*;
use crate::cycle::{Cycle, TrialCycle};
use crate::host::{ask, Host, Id};
use crate::services::Selector;
use crate::status::Error;
use crate::views::Pod;
use std::marker::PhantomData;
use std::mem::size_of;

/// The nodes that have one value under a label key are a domain, and the domains of a key are numbered densely.
#[derive(Clone, Copy)]
pub struct Domains<'a> {
    raw: berth_domains,
    rows: usize,
    life: PhantomData<&'a ()>,
}

/// A table of the host, which may be NULL if its length is 0.
unsafe fn table<'a, T>(raw: *const T, n: usize) -> &'a [T] {
    if raw.is_null() { &[] } else { std::slice::from_raw_parts(raw, n) }
}

impl<'a> Domains<'a> {
    /// How many there are; some may have no row at the moment.
    pub fn len(&self) -> usize {
        self.raw.n as usize
    }
    /// None at all.
    pub fn is_empty(&self) -> bool {
        self.raw.n == 0
    }
    /// By row; `constants::BERTH_NO_DOMAIN` if there is none.
    pub fn of_rows(&self) -> &'a [u32] {
        unsafe { table(self.raw.of_row, self.rows) }
    }
    /// None: its node does not have the key, or the row has no node.
    pub fn of(&self, row: u32) -> Option<usize> {
        self.of_rows().get(row as usize).filter(|domain| **domain != BERTH_NO_DOMAIN).map(|domain| *domain as usize)
    }
    /// The label's value in a domain.
    pub fn value(&self, domain: usize) -> Id {
        Id(unsafe { table(self.raw.values, self.len()) }[domain])
    }
    /// How many nodes a domain has.
    pub fn nodes(&self, domain: usize) -> u32 {
        let counts = unsafe { table(self.raw.n_rows, self.len()) };
        counts[domain]
    }
    /// While it is equal, numbers keep their meaning, and new ones are added at the end.
    pub fn numbering(&self) -> u64 {
        self.raw.numbering
    }
}

/// A condition on pods: namespace, selector and label pairs. A new condition matches no pod, because it names no
/// namespace.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct PodMatch<'a> {
    raw: berth_pod_match,
    life: PhantomData<&'a ()>,
}

fn list<T>(items: &[T]) -> berth_list {
    berth_list { ptr: items.as_ptr() as *const _, n: items.len() as u32, stride: size_of::<T>() as u32 }
}

impl<'a> PodMatch<'a> {
    /// Requires one of these namespaces.
    pub fn in_namespaces(namespaces: &'a [Id]) -> Self {
        let namespaces = list(namespaces);
        let raw = berth_pod_match { flags: 0, rsv: 0, selector: std::ptr::null(), labels: list::<berth_kv>(&[]), namespaces };
        PodMatch { raw, life: PhantomData }
    }
    /// Allows any namespace.
    pub fn everywhere() -> Self {
        let mut all = Self::in_namespaces(&[]);
        all.raw.flags = BERTH_POD_MATCH_EVERY_NAMESPACE;
        all
    }
    /// Also requires labels that match this selector.
    pub fn selector(mut self, selector: Selector<'a>) -> Self {
        self.raw.selector = selector.0;
        self
    }
    /// Also requires these pairs.
    pub fn labels(mut self, pairs: &'a [berth_kv]) -> Self {
        self.raw.labels = list(pairs);
        self
    }
}

/// The pods for which every condition holds; without any, every pod.
#[derive(Clone, Copy)]
pub struct PodSet<'a> {
    raw: berth_pod_set,
    life: PhantomData<&'a ()>,
}

impl<'a> PodSet<'a> {
    /// Requires all of these conditions.
    pub fn all_of(conditions: &'a [PodMatch<'a>]) -> Self {
        let size = size_of::<berth_pod_set>() as u32;
        PodSet { raw: berth_pod_set { size, flags: 0, all_of: list(conditions) }, life: PhantomData }
    }
    /// Without those that have a deletionTimestamp.
    pub fn not_deleted(mut self) -> Self {
        self.raw.flags |= BERTH_POD_SET_NOT_DELETED;
        self
    }
}

/// Pods per row in one cycle. Trials do not change them: [`PodChange`](crate::PodChange) reports the pods of trials.
#[derive(Clone, Copy)]
pub struct PodCounts<'a> {
    raw: berth_pod_counts,
    rows: usize,
    life: PhantomData<&'a ()>,
}

impl<'a> PodCounts<'a> {
    /// Over all rows.
    pub fn total(&self) -> i64 {
        self.raw.total
    }
    /// By row; empty if there is no such pod.
    pub fn of_rows(&self) -> &'a [i32] {
        unsafe { table(self.raw.of_row, self.rows) }
    }
    /// Of one row.
    pub fn of(&self, row: u32) -> i32 {
        self.of_rows().get(row as usize).copied().unwrap_or(0)
    }
}

/// In calls that run alone.
impl<'a> Cycle<'a> {
    /// In PreFilter, PreScore and PostFilter. Cheap, except for the first use of a key.
    pub fn domains(&mut self, key: Id) -> Result<Domains<'a>, Error> {
        let size = size_of::<berth_domains>() as u32;
        let nothing = std::ptr::null();
        let mut raw = berth_domains { size, n: 0, of_row: nothing, values: nothing, n_rows: nothing, numbering: 0 };
        let snap = self.snapshot().ok_or_else(|| Error::new("domains were asked for without a snapshot"))?;
        match unsafe { ask!(self.core, domains.of)(snap.raw, key.0, &mut raw) } {
            0 => Ok(Domains { raw, rows: snap.rows() as usize, life: PhantomData }),
            _ => Err(Error::new(format!("the host has no domains of key {}", key.0))),
        }
    }
    /// In PreFilter and PreScore. Cheap, except for the first use of a set.
    pub fn pod_counts(&mut self, set: &PodSet) -> Result<PodCounts<'a>, Error> {
        let size = size_of::<berth_pod_counts>() as u32;
        let mut raw = berth_pod_counts { size, rsv: 0, total: 0, of_row: std::ptr::null() };
        let snap = self.snapshot().ok_or_else(|| Error::new("counts were asked for without a snapshot"))?;
        match unsafe { ask!(self.core, pod_sets.counts)(snap.raw, &set.raw, &mut raw) } {
            0 => Ok(PodCounts { raw, rows: snap.rows() as usize, life: PhantomData }),
            _ => Err(Error::new("the host does not know how to count this set of pods")),
        }
    }
}
impl<'a> TrialCycle<'a> {
    /// As of [`Cycle`].
    pub fn domains(&mut self, key: Id) -> Result<Domains<'a>, Error> {
        self.0.domains(key)
    }
}
impl Host {
    /// Whether the pod belongs to the set, whatever its node is.
    pub fn pod_set_contains(&self, set: &PodSet, pod: &Pod) -> bool {
        unsafe { ask!(self.0, pod_sets.contains)(self.0.raw, &set.raw, pod.raw()) != 0 }
    }
}
