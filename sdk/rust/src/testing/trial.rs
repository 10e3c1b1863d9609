//! Trials and domains on the fake host. The only filter there is to ask in a trial is the plugin's own.
use super::cluster::leak;
use super::services::{host_of, FakeCycle, FakeNodeRow};
use crate::abi::*;
use crate::host::borrow;
use std::mem::size_of;
use std::os::raw::c_char;
use std::ptr::null_mut;

#[repr(C)]
struct FakeTrial {
    cycle: FakeCycle, // first: a berth_cycle* of a trial is one of a cycle too
    row: u32,
    pods: Vec<&'static berth_pod>, // of the row, as it was
    error: String,
}

unsafe fn trial_of<'a>(raw: *const berth_cycle) -> &'a mut FakeTrial {
    &mut *(raw as *mut FakeTrial)
}
impl FakeTrial {
    fn row(&self) -> &FakeNodeRow {
        unsafe { &(*self.cycle.host).rows[self.row as usize] }
    }
    unsafe fn table<T>(&self, id: &str) -> Option<&'static T> {
        let id = format!("{id}\0");
        let extension = (*self.cycle.instance).extension.expect("extension");
        (extension(self.cycle.instance, id.as_ptr() as *const c_char) as *const T).as_ref()
    }
    /// The outcome of a call of the plugin's.
    unsafe fn take(&mut self, status: berth_status) -> berth_status {
        match (*self.cycle.host).take(status) {
            Ok(()) => BERTH_SUCCESS,
            Err(error) => {
                self.error = error;
                BERTH_ERROR
            }
        }
    }
}

unsafe extern "C" fn open(_: *const berth_host, cycle: *mut berth_cycle, row: u32) -> *mut berth_cycle {
    let parent = &*(cycle as *const FakeCycle);
    let rows = &(*parent.host).rows;
    let pods = match rows.get(row as usize) {
        Some(row) => row.pods.lock().unwrap().clone(),
        None => return null_mut(),
    };
    let kept = parent.data[BERTH_SLOT_CYCLE as usize];
    let copy = parent.copy(kept).unwrap_or(kept);
    let cycle = parent.with([copy, parent.data[BERTH_SLOT_ATTEMPT as usize]]);
    Box::into_raw(Box::new(FakeTrial { cycle, row, pods, error: String::new() })) as *mut berth_cycle
}
unsafe extern "C" fn remove(trial: *mut berth_cycle, pod: *const berth_pod) -> berth_status {
    let me = trial_of(trial);
    me.row().pods.lock().unwrap().retain(|one| *one as *const berth_pod != pod);
    match me.table::<berth_pod_change>(BERTH_POINT_POD_CHANGE).and_then(|table| table.remove_pod) {
        Some(call) => me.take(call(me.cycle.instance, trial, me.cycle.pod, pod, me.row)),
        None => BERTH_SUCCESS,
    }
}
unsafe extern "C" fn add(trial: *mut berth_cycle, pod: *const berth_pod) -> berth_status {
    let me = trial_of(trial);
    me.row().pods.lock().unwrap().push(&*pod);
    match me.table::<berth_pod_change>(BERTH_POINT_POD_CHANGE).and_then(|table| table.add_pod) {
        Some(call) => me.take(call(me.cycle.instance, trial, me.cycle.pod, pod, me.row)),
        None => BERTH_SUCCESS,
    }
}
unsafe extern "C" fn filter(trial: *mut berth_cycle, out: *mut berth_verdict, plugin: *mut berth_id) -> berth_status {
    let me = trial_of(trial);
    let call = match me.table::<berth_filter>(BERTH_POINT_FILTER).and_then(|table| table.filter) {
        Some(call) => call,
        None => return BERTH_SUCCESS,
    };
    let live = super::services::live_rows(&*me.cycle.host).as_ptr();
    let rows = berth_rows { size: size_of::<berth_rows>() as u32, n: 1, first: 0, rsv: 0, rows: &me.row, live };
    *plugin = (*me.cycle.host).intern("pluginUnderTest");
    let status = call(me.cycle.instance, trial, me.cycle.pod, &rows, out);
    me.take(status)
}
unsafe extern "C" fn error(trial: *const berth_cycle) -> berth_str {
    borrow(&trial_of(trial).error)
}
unsafe extern "C" fn close(trial: *mut berth_cycle) {
    let me = Box::from_raw(trial as *mut FakeTrial);
    *me.row().pods.lock().unwrap() = me.pods.clone();
    let kept = me.cycle.data[BERTH_SLOT_CYCLE as usize];
    if (*me.cycle.instance).cycle_clone.is_some() && !kept.is_null() {
        me.cycle.let_go(kept)
    }
}
pub(crate) const TRIALS: berth_trials = berth_trials {
    size: size_of::<berth_trials>() as u32,
    rsv: 0,
    open: Some(open),
    remove: Some(remove),
    add: Some(add),
    filter: Some(filter),
    error: Some(error),
    close: Some(close),
};

unsafe extern "C" fn domains(snap: *const berth_snap, key: berth_id, out: *mut berth_domains) -> i32 {
    let mut values = Vec::<berth_id>::new();
    let mut counts = Vec::<u32>::new();
    let mut place = |row: &FakeNodeRow| {
        let value = match row.label(key) {
            Some(value) => value,
            None => return BERTH_NO_DOMAIN,
        };
        let found = values.iter().position(|known| *known == value).unwrap_or_else(|| {
            values.push(value);
            counts.push(0);
            values.len() - 1
        });
        counts[found] += 1;
        found as u32
    };
    let of_row: Vec<u32> = host_of(snap).rows.iter().map(&mut place).collect();
    (*out).n = values.len() as u32;
    (*out).of_row = leak(of_row).as_ptr();
    (*out).values = leak(values).as_ptr();
    (*out).n_rows = leak(counts).as_ptr();
    (*out).numbering = 1; // the fake cluster does not change
    0
}
pub(crate) const DOMAINS: berth_domain_columns =
    berth_domain_columns { size: size_of::<berth_domain_columns>() as u32, rsv: 0, of: Some(domains) };
