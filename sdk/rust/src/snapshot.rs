//! The cluster, frozen for one attempt: nodes by row, and columns over all rows.
use crate::abi::*;
use crate::host::{ask, Core, Id};
use crate::views::records;
use std::marker::PhantomData;

/// Borrowed from the cycle of a call.
#[derive(Clone, Copy)]
pub(crate) struct Snapshot<'a> {
    pub core: &'a Core,
    pub raw: *const berth_snap,
    life: PhantomData<&'a ()>,
}

/// A cell of a column.
pub(crate) trait Cell: Copy {
    const TYPE: u32;
}
impl Cell for i64 {
    const TYPE: u32 = BERTH_COLUMN_I64;
}
impl Cell for f64 {
    const TYPE: u32 = BERTH_COLUMN_F64;
}
impl Cell for u8 {
    const TYPE: u32 = BERTH_COLUMN_U8;
}
impl Cell for Id {
    const TYPE: u32 = BERTH_COLUMN_ID;
}
impl Cell for u32 {
    const TYPE: u32 = BERTH_COLUMN_SET;
}

impl<'a> Snapshot<'a> {
    pub fn new(core: &'a Core, raw: *const berth_snap) -> Option<Self> {
        (!raw.is_null()).then(|| Snapshot { core, raw, life: PhantomData })
    }
    /// Every row is below it.
    pub fn rows(self) -> u32 {
        unsafe { ask!(self.core, snapshot.rows)(self.raw) }
    }
    /// 0 if the row has none.
    pub fn cell(self, what: u32, key: Id, row: u32) -> i64 {
        self.column(what, key).and_then(|cells| cells.get(row as usize)).copied().unwrap_or(0)
    }
    pub fn column<T: Cell>(self, what: u32, key: Id) -> Option<&'a [T]> {
        self.flagged(what, key).map(|(cells, _)| cells)
    }
    /// With the column's flags.
    pub fn flagged<T: Cell>(self, what: u32, key: Id) -> Option<(&'a [T], u32)> {
        let size = std::mem::size_of::<berth_column>() as u32;
        let mut column = berth_column { size, type_: 0, rows: 0, flags: 0, cells: std::ptr::null() };
        if unsafe { ask!(self.core, snapshot.column)(self.raw, what, key.0, &mut column) } != 0 {
            return None;
        }
        assert!(column.type_ == T::TYPE, "column {what} is of type {}", column.type_);
        if column.cells.is_null() {
            return None;
        }
        let cells = unsafe { std::slice::from_raw_parts(column.cells as *const T, column.rows as usize) };
        Some((cells, column.flags))
    }
    pub fn set_items<T: 'a>(self, what: u32, set: u32) -> impl Iterator<Item = &'a T> {
        records(unsafe { ask!(self.core, snapshot.set_items)(self.raw, what, set) })
    }
    pub fn image(self, name: Id) -> Option<Image<'a>> {
        let size = std::mem::size_of::<berth_image>() as u32;
        let mut raw = berth_image { size, n_nodes: 0, bytes: 0, nodes: std::ptr::null() };
        let there = unsafe { ask!(self.core, snapshot.image)(self.raw, name.0, &mut raw) } == 0;
        there.then(|| Image { raw, rows: self.rows(), life: PhantomData })
    }
}

/// One image name over all nodes.
pub struct Image<'a> {
    raw: berth_image,
    rows: u32,
    life: PhantomData<&'a ()>,
}

impl Image<'_> {
    /// How many nodes have it.
    pub fn nodes(&self) -> u32 {
        self.raw.n_nodes
    }
    /// As the first node with the image reported it.
    pub fn bytes(&self) -> i64 {
        self.raw.bytes
    }
    /// Whether the node on this row has it.
    pub fn is_on(&self, row: u32) -> bool {
        let there = row < self.rows && !self.raw.nodes.is_null();
        there && unsafe { *self.raw.nodes.add(row as usize / 64) } >> (row % 64) & 1 == 1
    }
}
