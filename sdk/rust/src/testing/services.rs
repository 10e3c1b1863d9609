//! The fake host's tables.
use super::cluster::{amounts, leak, leak_list, node_view, pod_view, FakeNode, FakePod};
use super::json::{Json, VALUES};
use crate::abi::*;
use crate::host::{borrow, text_of};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CStr;
use std::mem::size_of;
use std::os::raw::{c_char, c_void};

pub(crate) struct FakeNodeRow {
    pub node: FakeNode,
    view: &'static berth_node,
    pods: Vec<&'static berth_pod>,
}

/// The host of one instance. Everything hangs on the raw table's `impl`.
pub(crate) struct FakeHost {
    table: berth_host,
    pub args: Option<Json>,
    pub rows: Vec<FakeNodeRow>,
    pub log: RefCell<Vec<String>>,
    texts: RefCell<Vec<&'static str>>, // by id
    ids: RefCell<HashMap<&'static str, berth_id>>,
    because: RefCell<Vec<String>>,
    pub reasons: RefCell<Vec<Vec<String>>>, // by number - 1
    requests: RefCell<HashMap<*const berth_pod, FakePod>>,
}

/// What a berth_cycle points to.
pub(crate) struct FakeCycle {
    pub host: *const FakeHost,
    pub snapshot: bool,
    pub data: [*mut c_void; 2],
    pub free: unsafe extern "C" fn(*mut berth_plugin, *mut c_void),
    pub instance: *mut berth_plugin,
}

unsafe fn of<'a>(raw: *const berth_host) -> &'a FakeHost {
    &*((*raw).impl_ as *const FakeHost)
}
unsafe fn host_of<'a>(snap: *const berth_snap) -> &'a FakeHost {
    &*(snap as *const FakeHost)
}
unsafe fn cycle_of<'a>(raw: *const berth_cycle) -> &'a mut FakeCycle {
    &mut *(raw as *mut FakeCycle)
}
unsafe fn strings(texts: *const berth_str, n: u32) -> Vec<String> {
    (0..n as usize).map(|i| text_of::<'_>(*texts.add(i)).to_string()).collect()
}

impl FakeHost {
    pub fn new() -> Box<FakeHost> {
        let table = berth_host {
            size: size_of::<berth_host>() as u32,
            abi_minor: BERTH_ABI_MINOR,
            impl_: std::ptr::null_mut(),
            service: Some(service),
            because: Some(because),
            intern: Some(intern),
            keep: Some(own),
            drop: Some(own),
            text: Some(text),
        };
        let mut made = Box::new(FakeHost {
            table,
            args: None,
            rows: Vec::new(),
            log: RefCell::default(),
            texts: RefCell::new(vec!["", ""]), // absent, and ""
            ids: RefCell::new(HashMap::from([("", BERTH_ID_EMPTY)])),
            because: RefCell::default(),
            reasons: RefCell::default(),
            requests: RefCell::default(),
        });
        made.table.impl_ = &*made as *const FakeHost as *mut c_void;
        made
    }
    pub fn raw(&self) -> *const berth_host {
        &self.table
    }
    pub fn intern(&self, text: &str) -> berth_id {
        if let Some(id) = self.ids.borrow().get(text) {
            return *id;
        }
        let kept: &'static String = leak(text.to_string());
        let id = self.texts.borrow().len() as berth_id;
        self.texts.borrow_mut().push(kept);
        self.ids.borrow_mut().insert(kept, id);
        id
    }
    pub fn pod(&self, pod: &FakePod) -> &'static berth_pod {
        let view = pod_view(pod, &|text| self.intern(text));
        self.requests.borrow_mut().insert(view, pod.clone());
        view
    }
    pub fn add(&mut self, node: FakeNode) {
        let view = node_view(&node, &|text| self.intern(text));
        let pods = node.pods.iter().map(|pod| self.pod(pod)).collect();
        self.rows.push(FakeNodeRow { node, view, pods });
    }
    /// The end of a call: its status, with the reasons it gave.
    pub fn take(&self, status: berth_status) -> Result<(), String> {
        let reasons = self.because.take();
        match status {
            BERTH_ERROR => Err(reasons.first().cloned().unwrap_or_else(|| "ERROR without a text".into())),
            _ => {
                self.because.replace(reasons);
                Ok(())
            }
        }
    }
    pub fn take_because(&self) -> Vec<String> {
        self.because.take()
    }
}

unsafe extern "C" fn because(host: *const berth_host, _c: *mut berth_cycle, texts: *const berth_str, n: u32) {
    of(host).because.replace(strings(texts, n));
}
unsafe extern "C" fn intern(host: *const berth_host, text: berth_str) -> berth_id {
    of(host).intern(text_of(text))
}
unsafe extern "C" fn own(_: *const berth_host, _: berth_id) {} // nothing is ever let go
unsafe extern "C" fn text(host: *const berth_host, id: berth_id) -> berth_str {
    borrow(of(host).texts.borrow()[id as usize])
}

unsafe extern "C" fn args(host: *const berth_host) -> *const berth_value {
    of(host).args.as_ref().map_or(std::ptr::null(), Json::raw)
}
unsafe extern "C" fn profile(_: *const berth_host) -> berth_str {
    borrow("default-scheduler")
}
unsafe extern "C" fn name(_: *const berth_host) -> berth_str {
    borrow("pluginUnderTest")
}
unsafe extern "C" fn enabled(_: *const berth_host, _: i32) -> i32 {
    1
}
#[rustfmt::skip]
unsafe extern "C" fn log(
    host: *const berth_host, _severity: i32, _v: i32, _file: berth_str, _line: i32, message: berth_str,
    keys: *const berth_str, values: *const berth_str, n: u32,
) {
    let mut line = text_of::<'_>(message).to_string();
    for (key, value) in strings(keys, n).iter().zip(strings(values, n)) {
        line.push_str(&format!(" {key}={value:?}"));
    }
    of(host).log.borrow_mut().push(line);
}

unsafe extern "C" fn rows(snap: *const berth_snap) -> u32 {
    host_of(snap).rows.len() as u32
}
unsafe extern "C" fn nodes(snap: *const berth_snap) -> u32 {
    rows(snap) // each row has one
}
unsafe extern "C" fn live(snap: *const berth_snap) -> *const u64 {
    live_rows(host_of(snap)).as_ptr()
}
pub(crate) fn live_rows(host: &FakeHost) -> &'static [u64] {
    let n = host.rows.len();
    let words = (0..n / 64 + 1).map(|w| if n >= (w + 1) * 64 { u64::MAX } else { (1u64 << (n - w * 64)) - 1 });
    leak(words.collect::<Vec<u64>>())
}
unsafe extern "C" fn order(snap: *const berth_snap) -> berth_list {
    leak_list((0..rows(snap)).collect::<Vec<u32>>())
}
unsafe extern "C" fn node(snap: *const berth_snap, row: u32) -> *const berth_node {
    host_of(snap).rows.get(row as usize).map_or(std::ptr::null(), |found| found.view as *const berth_node)
}
unsafe extern "C" fn pods(snap: *const berth_snap, row: u32) -> berth_list {
    leak_list(host_of(snap).rows[row as usize].pods.iter().map(|pod| *pod as *const berth_pod).collect())
}
unsafe extern "C" fn row_of(snap: *const berth_snap, name: berth_id) -> i64 {
    host_of(snap).rows.iter().position(|row| row.view.name == name).map_or(-1, |row| row as i64)
}
unsafe extern "C" fn column(snap: *const berth_snap, what: u32, key: berth_id, out: *mut berth_column) -> i32 {
    let host = host_of(snap);
    let resource = host.texts.borrow()[key as usize];
    let cell = |row: &FakeNodeRow| match what {
        BERTH_NODE_ALLOCATABLE => row.node.allocatable.get(resource).copied().unwrap_or(0),
        BERTH_NODE_REQUESTED => row.node.requested(resource),
        BERTH_NODE_POD_COUNT => row.pods.len() as i64,
        _ => panic!("the fake host has no column {what}"),
    };
    let cells: Vec<i64> = host.rows.iter().map(cell).collect();
    if cells.iter().all(|cell| *cell == 0) {
        return -1;
    }
    (*out).type_ = BERTH_COLUMN_I64;
    (*out).rows = cells.len() as u32;
    (*out).flags = BERTH_COLUMN_EXACT;
    (*out).cells = leak(cells).as_ptr() as *const c_void;
    0
}

unsafe extern "C" fn snap(cycle: *const berth_cycle) -> *const berth_snap {
    let cycle = cycle_of(cycle);
    if cycle.snapshot { cycle.host as *const berth_snap } else { std::ptr::null() }
}
unsafe extern "C" fn data(_: *const berth_host, cycle: *const berth_cycle, slot: u32) -> *mut c_void {
    cycle_of(cycle).data[slot as usize]
}
unsafe extern "C" fn set_data(_: *const berth_host, cycle: *mut berth_cycle, slot: u32, data: *mut c_void) {
    let cycle = cycle_of(cycle);
    let before = std::mem::replace(&mut cycle.data[slot as usize], data);
    if !before.is_null() {
        (cycle.free)(cycle.instance, before);
    }
}
unsafe extern "C" fn reasons(host: *const berth_host, _: *mut berth_cycle, texts: *const berth_str, n: u32) -> u32 {
    let mut reasons = of(host).reasons.borrow_mut();
    reasons.push(strings(texts, n));
    reasons.len() as u32
}
unsafe extern "C" fn cancelled(_: *const berth_cycle) -> i32 {
    0
}
unsafe extern "C" fn requests(host: *const berth_host, pod: *const berth_pod, _flags: u32) -> berth_list {
    let host = of(host);
    amounts(&host.requests.borrow()[&pod].requests, &|text| host.intern(text))
}

unsafe extern "C" fn service(_: *const berth_host, id: *const c_char) -> *const c_void {
    fn raw<T: 'static>(table: T) -> *const c_void {
        leak(table) as *const T as *const c_void
    }
    // What is left out is NULL, as of a host that lacks it.
    macro_rules! table {
        ($kind:ident { $($field:ident),+ }) => {{
            let mut made: $kind = std::mem::zeroed();
            made.size = size_of::<$kind>() as u32;
            $(made.$field = Some($field);)+
            raw(made)
        }};
    }
    match CStr::from_ptr(id).to_str().unwrap_or("") {
        BERTH_SERVICE_VALUE => raw(VALUES),
        BERTH_SERVICE_CONFIG => table!(berth_config { args, profile, name }),
        BERTH_SERVICE_LOG => table!(berth_log { enabled, log }),
        BERTH_SERVICE_CYCLE => table!(berth_cycles { snap, data, set_data, reasons, cancelled }),
        BERTH_SERVICE_REQUESTS => raw(berth_requests { size: size_of::<berth_requests>() as u32, rsv: 0, of: Some(requests) }),
        BERTH_SERVICE_SNAPSHOT => table!(berth_snapshot { rows, nodes, live, order, node, pods, row_of, column }),
        _ => std::ptr::null(),
    }
}
