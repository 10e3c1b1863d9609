//! One attempt of one pod, and the rows that a call is about.
use crate::abi::*;
use crate::host::{ask, Core, Id};
use crate::views::Node;
use std::any::Any;
use std::marker::PhantomData;
use std::os::raw::c_void;

/// What the host keeps for us: a thin pointer to what knows its own type.
type Kept = Box<dyn Any + Send + Sync>;

pub(crate) unsafe fn free_kept(data: *mut c_void) {
    drop(Box::from_raw(data as *mut Kept));
}

/// The cluster, frozen for the attempt.
#[derive(Clone, Copy)]
pub(crate) struct Snapshot<'a> {
    pub core: &'a Core,
    pub raw: *const berth_snap,
    life: PhantomData<&'a ()>,
}

impl<'a> Snapshot<'a> {
    /// 0 where the row has none.
    pub fn cell(self, what: u32, key: Id, row: u32) -> i64 {
        self.column(what, key).and_then(|cells| cells.get(row as usize)).copied().unwrap_or(0)
    }
    fn column(self, what: u32, key: Id) -> Option<&'a [i64]> {
        let size = std::mem::size_of::<berth_column>() as u32;
        let mut column = berth_column { size, type_: 0, rows: 0, flags: 0, cells: std::ptr::null() };
        if unsafe { ask!(self.core, snapshot.column)(self.raw, what, key.0, &mut column) } != 0 {
            return None;
        }
        assert!(column.type_ == BERTH_COLUMN_I64, "column {what} is of type {}", column.type_);
        if column.cells.is_null() {
            return None;
        }
        Some(unsafe { std::slice::from_raw_parts(column.cells as *const i64, column.rows as usize) })
    }
}

/// One attempt of one pod. Data that a plugin sets on it is found again in later calls of the same attempt.
pub struct Cycle<'a> {
    pub(crate) core: &'a Core,
    pub(crate) raw: *mut berth_cycle,
}

impl<'a> Cycle<'a> {
    pub(crate) fn new(core: &'a Core, raw: *mut berth_cycle) -> Self {
        Cycle { core, raw }
    }

    pub(crate) fn snapshot(&self) -> Option<Snapshot<'a>> {
        let raw = unsafe { ask!(self.core, cycle.snap)(self.raw) };
        (!raw.is_null()).then(|| Snapshot { core: self.core, raw, life: PhantomData })
    }
    /// The node on a row. None outside of the scheduling cycle, where there is no snapshot.
    pub fn node(&self, row: u32) -> Option<Node<'a>> {
        self.snapshot().map(|snap| Node::new(snap, row))
    }
    /// The node of a name. None: there is none, or no snapshot.
    pub fn node_named(&self, name: Id) -> Option<Node<'a>> {
        let snap = self.snapshot()?;
        let row = unsafe { ask!(self.core, snapshot.row_of)(snap.raw, name.0) };
        u32::try_from(row).ok().map(|row| Node::new(snap, row))
    }
    /// How many nodes there are; 0 without a snapshot.
    pub fn node_count(&self) -> u32 {
        self.snapshot().map_or(0, |snap| unsafe { ask!(self.core, snapshot.nodes)(snap.raw) })
    }
    /// A column over all rows, for those who look at many: `what` is `constants::BERTH_NODE_*` of an integer column. None: no
    /// node has such a cell.
    pub fn column(&self, what: u32, key: Id) -> Option<&'a [i64]> {
        self.snapshot()?.column(what, key)
    }
    /// The answer is no longer wanted: give up.
    pub fn cancelled(&self) -> bool {
        unsafe { ask!(self.core, cycle.cancelled)(self.raw) != 0 }
    }

    /// What [`Cycle::set`] set in this attempt's scheduling cycle.
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.kept(BERTH_SLOT_CYCLE)
    }
    /// What [`Cycle::set_attempt`] set in this attempt.
    pub fn get_attempt<T: Any>(&self) -> Option<&T> {
        self.kept(BERTH_SLOT_ATTEMPT)
    }
    /// Keeps a value until the scheduling cycle ends, in place of the one before.
    pub fn set<T: Any + Send + Sync>(&mut self, value: T) {
        self.keep(BERTH_SLOT_CYCLE, Box::new(value))
    }
    /// Keeps a value until the pod is bound or has failed, in place of the one before.
    pub fn set_attempt<T: Any + Send + Sync>(&mut self, value: T) {
        self.keep(BERTH_SLOT_ATTEMPT, Box::new(value))
    }

    fn kept<T: Any>(&self, slot: u32) -> Option<&T> {
        let data = unsafe { ask!(self.core, cycle.data)(self.core.raw, self.raw, slot) };
        unsafe { (data as *const Kept).as_ref() }.and_then(|kept| kept.downcast_ref())
    }
    fn keep(&mut self, slot: u32, value: Kept) {
        let set = ask!(self.core, cycle.set_data);
        unsafe { set(self.core.raw, self.raw, slot, Box::into_raw(Box::new(value)) as *mut c_void) }
    }
}

/// The rows that a call is about, ascending.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    raw: &'a berth_rows,
}

impl<'a> Rows<'a> {
    pub(crate) unsafe fn new(raw: *const berth_rows) -> Self {
        Rows { raw: &*raw }
    }
    /// How many places the call's output has; of some there may be no row.
    pub(crate) fn places(&self) -> usize {
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
