//! One attempt of one pod, and the rows that a call is about.
use crate::abi::*;
use crate::host::{ask, borrow, text_of, Core, Id};
use crate::kept;
use crate::snapshot::{Image, Snapshot};
use crate::views::{records, Node, Pod};
use std::any::Any;
use std::marker::PhantomData;
use std::ops::Deref;
use std::os::raw::c_void;

/// One attempt of one pod. Later calls of the same attempt get the data that a plugin sets on it.
pub struct Cycle<'a> {
    pub(crate) core: &'a Core,
    pub(crate) raw: *mut berth_cycle,
}

/// A number for a list of reasons, valid for the call: see [`Cycle::reasons`].
#[derive(Clone, Copy)]
pub struct ReasonNumber<'c>(pub(crate) u32, PhantomData<&'c ()>);

/// The cluster. Outside of the scheduling cycle there is no snapshot, and these functions return nothing.
impl<'a> Cycle<'a> {
    pub(crate) fn new(core: &'a Core, raw: *mut berth_cycle) -> Self {
        Cycle { core, raw }
    }

    pub(crate) fn snapshot(&self) -> Option<Snapshot<'_>> {
        Snapshot::new(self.core, unsafe { ask!(self.core, cycle.snap)(self.raw) })
    }
    /// The node on a row. None outside of the scheduling cycle, where there is no snapshot.
    pub fn node(&self, row: u32) -> Option<Node<'_>> {
        self.snapshot().map(|snap| Node::new(snap, row))
    }
    /// The node of a name. None: there is none, or no snapshot.
    pub fn node_named(&self, name: Id) -> Option<Node<'_>> {
        let snap = self.snapshot()?;
        let row = unsafe { ask!(self.core, snapshot.row_of)(snap.raw, name.0) };
        u32::try_from(row).ok().map(|row| Node::new(snap, row))
    }
    /// How many nodes there are; 0 without a snapshot.
    pub fn node_count(&self) -> u32 {
        self.snapshot().map_or(0, |snap| unsafe { ask!(self.core, snapshot.nodes)(snap.raw) })
    }
    /// Every row is below it; some may belong to no node.
    pub fn row_count(&self) -> u32 {
        self.snapshot().map_or(0, Snapshot::rows)
    }
    /// Whether a node has this row.
    pub fn is_live(&self, row: u32) -> bool {
        let word = |snap: Snapshot| unsafe { *ask!(self.core, snapshot.live)(snap.raw).add(row as usize / 64) };
        self.snapshot().filter(|snap| row < snap.rows()).map_or(false, |snap| word(snap) >> (row % 64) & 1 == 1)
    }
    /// All nodes, in kube-scheduler's order: zones round robin.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        let listed = |snap: Snapshot<'_>| unsafe { ask!(self.core, snapshot.order)(snap.raw) };
        let snap = self.snapshot();
        let rows = snap.map_or(berth_list { ptr: std::ptr::null(), n: 0, stride: 0 }, listed);
        records::<u32>(rows).filter_map(move |row| snap.map(|snap| Node::new(snap, *row)))
    }
    /// The pods of a row, including assumed pods. Valid as long as the cycle, also during a trial.
    pub fn pods_on(&self, row: u32) -> Vec<Pod<'a>> {
        let list = |snap: Snapshot| unsafe { ask!(self.core, snapshot.pods)(snap.raw, row) };
        let snap = self.snapshot().filter(|snap| row < snap.rows());
        let pods = snap.map(|snap| records::<*const berth_pod>(list(snap)));
        pods.into_iter().flatten().map(|pod| unsafe { Pod::new(self.core, *pod) }).collect()
    }
    /// A column over all rows, for plugins that read many rows: `what` is `constants::BERTH_NODE_*` of an integer
    /// column. None: no node has such a cell.
    pub fn column(&self, what: u32, key: Id) -> Option<&[i64]> {
        self.snapshot()?.column(what, key)
    }
    /// The same as doubles (`BERTH_NODE_*_F64`), and whether every cell is exact.
    pub fn column_f64(&self, what: u32, key: Id) -> Option<(&[f64], bool)> {
        let found = self.snapshot()?.flagged(what, key);
        found.map(|(cells, flags)| (cells, flags & BERTH_COLUMN_EXACT != 0))
    }
    /// A column of bytes: `BERTH_NODE_UNSCHEDULABLE`.
    pub fn column_u8(&self, what: u32, key: Id) -> Option<&[u8]> {
        self.snapshot()?.column(what, key)
    }
    /// A column of ids: names, or the values of a label whose column is open ([`Host::open_column`](crate::Host::open_column)).
    pub fn column_ids(&self, what: u32, key: Id) -> Option<&[Id]> {
        self.snapshot()?.column(what, key)
    }
    /// A column of sets: equal numbers are equal sets, 0 is the empty one.
    pub fn column_sets(&self, what: u32, key: Id) -> Option<&[u32]> {
        self.snapshot()?.column(what, key)
    }
    /// The taints in a set of column `BERTH_NODE_TAINTS`.
    pub fn taints_of(&self, set: u32) -> impl Iterator<Item = &berth_taint> {
        self.snapshot().into_iter().flat_map(move |snap| snap.set_items(BERTH_NODE_TAINTS, set))
    }
    /// None: no node reports an image of that name.
    pub fn image(&self, name: Id) -> Option<Image<'_>> {
        self.snapshot()?.image(name)
    }
}

/// The call, and this plugin's data about the attempt.
impl<'a> Cycle<'a> {
    /// Whether the result is no longer needed: then give up. Call it every 64 slow rows.
    pub fn cancelled(&self) -> bool {
        unsafe { ask!(self.core, cycle.cancelled)(self.raw) != 0 }
    }
    /// The attempt's seed for this instance: equal runs get equal seeds. `BERTH_SERVICE_RANDOM`.
    pub fn seed(&self) -> u64 {
        unsafe { ask!(self.core, random.seed)(self.core.raw, self.raw) }
    }
    /// A number for these texts, for [`Verdicts`](crate::Verdicts) of the same call. Call it once, not for each row.
    pub fn reasons(&self, texts: &[&str]) -> ReasonNumber<'_> {
        let number = |texts: &[berth_str]| unsafe {
            ask!(self.core, cycle.reasons)(self.core.raw, self.raw, texts.as_ptr(), texts.len() as u32)
        };
        let number = match texts {
            [one] => number(&[borrow(one)]),
            many => number(&many.iter().map(|text| borrow(text)).collect::<Vec<_>>()),
        };
        ReasonNumber(number, PhantomData)
    }
    /// The texts behind the reasons of a verdict, any plugin's.
    pub fn reason_texts(&self, verdict: &berth_verdict) -> Vec<String> {
        let list = unsafe { ask!(self.core, cycle.reason_texts)(self.core.raw, self.raw, verdict.reasons) };
        records::<berth_str>(list).map(|text| unsafe { text_of(*text).to_string() }).collect()
    }

    /// What [`Cycle::set`] set in this attempt's scheduling cycle.
    pub fn get<T: Any>(&self) -> Option<&T> {
        unsafe { kept::look(self.data(BERTH_SLOT_CYCLE)) }
    }
    /// What [`Cycle::set_attempt`] set in this attempt.
    pub fn get_attempt<T: Any>(&self) -> Option<&T> {
        unsafe { kept::look(self.data(BERTH_SLOT_ATTEMPT)) }
    }
    /// Keeps a value until the scheduling cycle ends, and replaces the previous one. Trials share it.
    pub fn set<T: Any + Send + Sync>(&mut self, value: T) {
        self.keep(BERTH_SLOT_CYCLE, kept::shared(value))
    }
    /// The same, but each trial gets its own copy, which [`PodChange`](crate::PodChange) may change.
    pub fn set_for_trials<T: Any + Clone + Send + Sync>(&mut self, value: T) {
        self.keep(BERTH_SLOT_CYCLE, kept::copied(value))
    }
    /// What was set for the scheduling cycle, for changes. Also None while a trial shares it.
    pub fn get_mut<T: Any>(&mut self) -> Option<&mut T> {
        unsafe { kept::look_mut(self.data(BERTH_SLOT_CYCLE)) }
    }
    /// Keeps a value until the pod is bound or has failed, in place of the one before.
    pub fn set_attempt<T: Any + Send + Sync>(&mut self, value: T) {
        self.keep(BERTH_SLOT_ATTEMPT, kept::shared(value))
    }

    fn data(&self, slot: u32) -> *mut c_void {
        unsafe { ask!(self.core, cycle.data)(self.core.raw, self.raw, slot) }
    }
    fn keep(&mut self, slot: u32, data: *mut c_void) {
        // Looks up the function first: if it is missing, only this value leaks.
        unsafe { ask!(self.core, cycle.set_data)(self.core.raw, self.raw, slot, data) }
    }
}

/// The attempt in a call of the binding cycle: without a snapshot, and only data of the whole attempt can be set.
pub struct BindCycle<'a>(pub(crate) Cycle<'a>);

impl BindCycle<'_> {
    /// Keeps a value until the pod is bound or has failed, in place of the one before.
    pub fn set_attempt<T: Any + Send + Sync>(&mut self, value: T) {
        self.0.set_attempt(value)
    }
}
impl<'a> Deref for BindCycle<'a> {
    type Target = Cycle<'a>;
    fn deref(&self) -> &Cycle<'a> {
        &self.0
    }
}

/// The attempt in a trial: pods are added and removed, and the plugin's data is this trial's own copy.
pub struct TrialCycle<'a>(pub(crate) Cycle<'a>);

impl TrialCycle<'_> {
    /// What [`Cycle::set_for_trials`] set, as it is in this trial. None: there is none, or [`Cycle::set`] set it, which all
    /// trials share.
    pub fn get_mut<T: Any>(&mut self) -> Option<&mut T> {
        self.0.get_mut()
    }
}
impl<'a> Deref for TrialCycle<'a> {
    type Target = Cycle<'a>;
    fn deref(&self) -> &Cycle<'a> {
        &self.0
    }
}

/// The rows that a call is about, ascending.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    pub(crate) raw: &'a berth_rows,
}

impl<'a> Rows<'a> {
    pub(crate) unsafe fn new(raw: *const berth_rows) -> Self {
        Rows { raw: &*raw }
    }
    /// How many places the call's output has; some may have no row.
    pub fn places(&self) -> usize {
        self.raw.n as usize
    }
    /// (place in the call's output, row)
    pub fn iter(&self) -> impl Iterator<Item = (usize, u32)> + 'a {
        let raw = self.raw;
        (0..raw.n).filter_map(move |i| unsafe {
            if !raw.rows.is_null() {
                return Some((i as usize, *raw.rows.add(i as usize)));
            }
            let row = raw.first + i;
            let alive = *raw.live.add(row as usize / 64) >> (row % 64) & 1 == 1;
            alive.then(|| (i as usize, row))
        })
    }
}
