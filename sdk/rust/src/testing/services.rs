//! The fake host's tables.
use super::cluster::{amounts, leak, leak_list, node_view, pod_view, FakeNode, FakePod};
use super::beside::{self, Beside};
use super::json::{Json, VALUES};
use super::objects::{get, list, need, version};
use super::outside;
use super::trial::{DOMAINS, TRIALS};
use crate::abi::*;
use crate::host::{borrow, text_of, Id};
use crate::views::Labels;
use std::collections::HashMap;
use std::ffi::CStr;
use std::mem::size_of;
use std::os::raw::{c_char, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Mutex;

pub(crate) struct FakeNodeRow {
    pub node: FakeNode,
    view: &'static berth_node,
    pub pods: Mutex<Vec<&'static berth_pod>>, // which trials change
}

impl FakeNodeRow {
    pub fn label(&self, key: berth_id) -> Option<berth_id> {
        Labels::new(self.view.labels).get(Id(key)).map(|value| value.0)
    }
}

/// The strings of the process: equal ones have equal ids whatever instance asks, as in a scheduler.
struct Words {
    texts: Vec<&'static str>, // by id
    ids: HashMap<&'static str, berth_id>,
}
static WORDS: Mutex<Option<Words>> = Mutex::new(None);

fn words<T>(look: impl FnOnce(&mut Words) -> T) -> T {
    let none = || Words { texts: vec!["", ""], ids: HashMap::from([("", BERTH_ID_EMPTY)]) }; // absent, and ""
    look(WORDS.lock().unwrap().get_or_insert_with(none))
}
fn word(id: berth_id) -> &'static str {
    let found = words(|words| words.texts.get(id as usize).copied());
    found.expect("an id of this host")
}

/// The host of one instance. Everything hangs on the raw table's `impl`.
pub(crate) struct FakeHost {
    table: berth_host,
    pub args: Option<Json>,
    pub seed: u64,
    pub rows: Vec<FakeNodeRow>,
    pub log: Mutex<Vec<String>>,
    because: Mutex<Vec<String>>,
    pub faults: Mutex<Vec<String>>, // why calls without a status failed
    pub reasons: Mutex<Vec<Vec<String>>>, // by number - 1
    requests: Mutex<HashMap<*const berth_pod, FakePod>>,
    open: Mutex<Vec<berth_id>>, // label columns
    pub beside: Beside,
}

/// What a berth_cycle points to.
pub(crate) struct FakeCycle {
    pub host: *const FakeHost,
    pub snapshot: bool,
    pub data: [*mut c_void; 2],
    pub free: unsafe extern "C" fn(*mut berth_plugin, *mut c_void),
    pub cancelled: AtomicBool,
    pub instance: *mut berth_plugin,
    pub pod: *const berth_pod,
}

impl FakeCycle {
    /// Another of the same pod, with data of its own.
    pub fn with(&self, data: [*mut c_void; 2]) -> FakeCycle {
        FakeCycle { data, cancelled: AtomicBool::new(false), ..*self }
    }
    /// Of what the plugin keeps: its own copy, or None where trials share it.
    pub unsafe fn copy(&self, data: *mut c_void) -> Option<*mut c_void> {
        let clone = (*self.instance).cycle_clone.filter(|_| !data.is_null())?;
        Some((*self.host).told(|| clone(self.instance, data)))
    }
    pub unsafe fn let_go(&self, data: *mut c_void) {
        (*self.host).told(|| (self.free)(self.instance, data))
    }
}

pub(crate) unsafe fn of<'a>(raw: *const berth_host) -> &'a FakeHost {
    &*((*raw).impl_ as *const FakeHost)
}
pub(crate) unsafe fn host_of<'a>(snap: *const berth_snap) -> &'a FakeHost {
    &*(snap as *const FakeHost)
}
unsafe fn cycle_of<'a>(raw: *const berth_cycle) -> &'a mut FakeCycle {
    &mut *(raw as *mut FakeCycle)
}
pub(crate) unsafe fn strings(texts: *const berth_str, n: u32) -> Vec<String> {
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
            seed: 0,
            rows: Vec::new(),
            log: Mutex::default(),
            because: Mutex::default(),
            faults: Mutex::default(),
            reasons: Mutex::default(),
            requests: Mutex::default(),
            open: Mutex::default(),
            beside: Beside::default(),
        });
        made.table.impl_ = &*made as *const FakeHost as *mut c_void;
        made
    }
    pub fn raw(&self) -> *const berth_host {
        &self.table
    }
    pub fn intern(&self, text: &str) -> berth_id {
        words(|words| {
            if let Some(id) = words.ids.get(text) {
                return *id;
            }
            let kept: &'static String = leak(text.to_string());
            let id = words.texts.len() as berth_id;
            words.texts.push(kept);
            words.ids.insert(kept, id);
            id
        })
    }
    pub fn pod(&self, pod: &FakePod) -> &'static berth_pod {
        let view = pod_view(pod, &|text| self.intern(text));
        self.requests.lock().unwrap().insert(view, pod.clone());
        view
    }
    fn requested(&self, row: &FakeNodeRow, resource: &str) -> i64 {
        let (pods, requests) = (row.pods.lock().unwrap(), self.requests.lock().unwrap());
        pods.iter().filter_map(|pod| requests.get(&(*pod as *const berth_pod))?.requests.get(resource)).sum()
    }
    pub fn add(&mut self, node: FakeNode) {
        let view = node_view(&node, &|text| self.intern(text));
        let pods = Mutex::new(node.pods.iter().map(|pod| self.pod(pod)).collect());
        self.rows.push(FakeNodeRow { node, view, pods });
    }
    /// The end of a call: its status, with the reasons it gave.
    pub fn take(&self, status: berth_status) -> Result<(), String> {
        let reasons = std::mem::take(&mut *self.because.lock().unwrap());
        match status {
            BERTH_ERROR => Err(reasons.first().cloned().unwrap_or_else(|| "ERROR without a text".into())),
            _ => {
                *self.because.lock().unwrap() = reasons;
                Ok(())
            }
        }
    }
    pub fn take_because(&self) -> Vec<String> {
        std::mem::take(&mut *self.because.lock().unwrap())
    }
    /// Makes a call that has no status, perhaps within another call: a reason says that it failed, and why.
    pub fn told<T>(&self, call: impl FnOnce() -> T) -> T {
        let around = self.take_because();
        let answer = call();
        let why = std::mem::replace(&mut *self.because.lock().unwrap(), around);
        self.faults.lock().unwrap().extend(why);
        answer
    }
}

unsafe extern "C" fn because(host: *const berth_host, _c: *mut berth_cycle, texts: *const berth_str, n: u32) {
    *of(host).because.lock().unwrap() = strings(texts, n);
}
unsafe extern "C" fn intern(host: *const berth_host, text: berth_str) -> berth_id {
    of(host).intern(text_of(text))
}
unsafe extern "C" fn own(_: *const berth_host, _: berth_id) {} // nothing is ever let go
unsafe extern "C" fn text(_: *const berth_host, id: berth_id) -> berth_str {
    borrow(word(id))
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
    of(host).log.lock().unwrap().push(line);
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
    leak_list(host_of(snap).rows[row as usize].pods.lock().unwrap().iter().map(|pod| *pod as *const berth_pod).collect())
}
unsafe extern "C" fn row_of(snap: *const berth_snap, name: berth_id) -> i64 {
    host_of(snap).rows.iter().position(|row| row.view.name == name).map_or(-1, |row| row as i64)
}
unsafe extern "C" fn column(snap: *const berth_snap, what: u32, key: berth_id, out: *mut berth_column) -> i32 {
    let host = host_of(snap);
    if what == BERTH_NODE_LABEL && host.open.lock().unwrap().contains(&key) {
        let cells: Vec<berth_id> = host.rows.iter().map(|row| row.label(key).unwrap_or(BERTH_ID_ABSENT)).collect();
        (*out).type_ = BERTH_COLUMN_ID;
        (*out).rows = cells.len() as u32;
        (*out).cells = leak(cells).as_ptr() as *const c_void;
        return 0;
    }
    let resource = word(key);
    let cell = |row: &FakeNodeRow| match what {
        BERTH_NODE_ALLOCATABLE => row.node.allocatable.get(resource).copied().unwrap_or(0),
        BERTH_NODE_REQUESTED => host.requested(row, resource),
        BERTH_NODE_POD_COUNT => row.pods.lock().unwrap().len() as i64,
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

unsafe extern "C" fn open_column(host: *const berth_host, what: u32, key: berth_id) -> i32 {
    if what != BERTH_NODE_LABEL {
        return -1;
    }
    of(host).open.lock().unwrap().push(key);
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
        cycle.let_go(before)
    }
}
unsafe extern "C" fn reasons(host: *const berth_host, _: *mut berth_cycle, texts: *const berth_str, n: u32) -> u32 {
    let mut reasons = of(host).reasons.lock().unwrap();
    reasons.push(strings(texts, n));
    reasons.len() as u32
}
unsafe extern "C" fn reason_texts(host: *const berth_host, _: *const berth_cycle, number: u32) -> berth_list {
    let texts = number.checked_sub(1).map_or(Vec::new(), |i| of(host).reasons.lock().unwrap()[i as usize].clone());
    leak_list(texts.into_iter().map(|text| borrow(leak(text))).collect())
}
unsafe extern "C" fn cancelled(cycle: *const berth_cycle) -> i32 {
    cycle_of(cycle).cancelled.load(Ordering::Relaxed) as i32
}
unsafe extern "C" fn requests(host: *const berth_host, pod: *const berth_pod, _flags: u32) -> berth_list {
    let host = of(host);
    amounts(&host.requests.lock().unwrap()[&pod].requests, &|text| host.intern(text))
}

unsafe extern "C" fn seed(host: *const berth_host, _: *const berth_cycle) -> u64 {
    of(host).seed
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
        BERTH_SERVICE_CYCLE => table!(berth_cycles { snap, data, set_data, reasons, reason_texts, cancelled }),
        BERTH_SERVICE_REQUESTS => raw(berth_requests { size: size_of::<berth_requests>() as u32, rsv: 0, of: Some(requests) }),
        BERTH_SERVICE_SNAPSHOT => table!(berth_snapshot { rows, nodes, live, order, node, pods, row_of, column, open_column }),
        BERTH_SERVICE_BINDER => raw(outside::BINDER),
        BERTH_SERVICE_WAITING => raw(outside::WAITING),
        BERTH_SERVICE_API => raw(outside::API),
        BERTH_SERVICE_TASKS => raw(beside::TASKS),
        BERTH_SERVICE_OBJECTS => table!(berth_objects { need, get, list, version }),
        BERTH_SERVICE_TRIAL => raw(TRIALS),
        BERTH_SERVICE_DOMAINS => raw(DOMAINS),
        BERTH_SERVICE_RANDOM => table!(berth_random { seed }),
        _ => std::ptr::null(),
    }
}
