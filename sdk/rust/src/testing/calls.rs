//! The calls that are about no attempt: the queue, events, deltas, the handover, the succession.
use super::attempt::Outcome;
use super::cluster::{leak, node_view, FakeNode, FakePod};
use super::json::Json;
use super::PluginUnderTest;
use crate::abi::*;
use crate::host::{borrow, borrow_bytes, bytes_of, text_of};
use std::mem::size_of;
use std::os::raw::c_void;

/// A pod in the queue; times in Unix nanoseconds.
#[derive(Clone)]
#[allow(missing_docs)]
pub struct FakeQueued {
    pub pod: FakePod,
    pub attempts: u32,
    pub queued: i64,
    pub initial_attempt: Option<i64>,
}

impl FakeQueued {
    /// Queued at time 0, never tried.
    pub fn new(pod: FakePod) -> Self {
        FakeQueued { pod, attempts: 0, queued: 0, initial_attempt: None }
    }
}

/// Something happened. What does not apply stays away.
#[derive(Clone, Default)]
#[allow(missing_docs)]
pub struct FakeEvent {
    pub resource: &'static str,
    pub actions: u32,
    pub registration: u32,
    pub old_pod: Option<FakePod>,
    pub new_pod: Option<FakePod>,
    pub old_node: Option<FakeNode>,
    pub new_node: Option<FakeNode>,
    pub old_value: Option<Json>,
    pub new_value: Option<Json>,
}

/// A change of a row.
#[derive(Clone)]
#[allow(missing_docs)]
pub enum FakeDelta {
    NodeAdded(u32, FakeNode),
    NodeChanged(u32, FakeNode),
    NodeRemoved(u32, FakeNode),
    PodAdded(u32, FakePod),
    PodRemoved(u32, FakePod),
}

unsafe extern "C" fn collect(ctx: *mut c_void, text: berth_str) {
    (*(ctx as *mut Vec<u8>)).extend_from_slice(bytes_of(text))
}

impl PluginUnderTest {
    fn node(&self, node: &FakeNode) -> *const berth_node {
        node_view(node, &|text| self.host.intern(text))
    }
    fn cycle_of_nothing(&self) -> Box<super::services::FakeCycle> {
        let mut cycle = self.cycle([std::ptr::null_mut(); 2]);
        cycle.snapshot = false;
        cycle
    }
    fn poured(&self, call: impl FnOnce(berth_text_sink, *mut c_void)) -> Vec<u8> {
        let mut bytes = Vec::<u8>::new();
        self.host.told(|| call(Some(collect), &mut bytes as *mut Vec<u8> as *mut c_void));
        bytes
    }

    /// Does the first go before the second?
    pub fn less(&self, a: &FakeQueued, b: &FakeQueued) -> bool {
        let table: &berth_queue_sort = self.offered(BERTH_POINT_QUEUE_SORT);
        let raw = |one: &FakeQueued| berth_queued {
            size: size_of::<berth_queued>() as u32,
            attempts: one.attempts,
            pod: self.host.pod(&one.pod),
            queued_unix_ns: one.queued,
            initial_attempt_unix_ns: one.initial_attempt.unwrap_or(BERTH_NO_TIME),
        };
        let (call, a, b) = (table.less.expect("less"), raw(a), raw(b));
        self.host.told(|| unsafe { call(self.instance, &a, &b) != 0 })
    }
    /// (resource, actions, whether hints are asked)
    pub fn interests(&self) -> Vec<(String, u32, bool)> {
        let table: &berth_events = self.offered(BERTH_POINT_EVENTS);
        let call = table.interests.expect("interests");
        let list = self.host.told(|| unsafe { call(self.instance) });
        let told = |one: &berth_interest| {
            (unsafe { text_of::<'_>(one.resource) }.to_string(), one.actions, one.flags & BERTH_INTEREST_HINT != 0)
        };
        crate::views::records::<berth_interest>(list).map(told).collect()
    }
    /// May the event help these pods, which the plugin rejected?
    pub fn hints(&self, event: &FakeEvent, pods: &[FakePod]) -> Result<Vec<bool>, String> {
        let table: &berth_events = self.offered(BERTH_POINT_EVENTS);
        let pod = |pod: &Option<FakePod>| pod.as_ref().map_or(std::ptr::null(), |pod| self.host.pod(pod) as *const berth_pod);
        let node = |node: &Option<FakeNode>| node.as_ref().map_or(std::ptr::null(), |node| self.node(node));
        let value = |value: &Option<Json>| value.as_ref().map_or(std::ptr::null(), |value| leak(value.clone()).raw());
        let raw = berth_event {
            size: size_of::<berth_event>() as u32,
            interest: event.registration,
            actions: event.actions,
            rsv: 0,
            resource: borrow(event.resource),
            old_pod: pod(&event.old_pod),
            new_pod: pod(&event.new_pod),
            old_node: node(&event.old_node),
            new_node: node(&event.new_node),
            old_value: value(&event.old_value),
            new_value: value(&event.new_value),
        };
        let pods: Vec<*const berth_pod> = pods.iter().map(|pod| self.host.pod(pod) as *const berth_pod).collect();
        let mut queue = vec![0u8; pods.len()];
        let mut cycle = self.cycle_of_nothing();
        let c = &mut *cycle as *mut _ as *mut berth_cycle;
        let call = table.hints.expect("hints");
        let n = pods.len() as u32;
        let status = unsafe { call(self.instance, c, &raw, pods.as_ptr(), n, queue.as_mut_ptr()) };
        self.host.take(status)?;
        Ok(queue.into_iter().map(|one| one != 0).collect())
    }

    /// Changes of rows, in one call.
    pub fn deltas(&self, changes: &[FakeDelta]) {
        let table: &berth_deltas = self.offered(BERTH_POINT_DELTAS);
        let of_node = |kind, row, node: &FakeNode| berth_delta { kind, row, node: self.node(node), pod: std::ptr::null() };
        let of_pod = |kind, row, pod: &FakePod| berth_delta { kind, row, node: std::ptr::null(), pod: self.host.pod(pod) };
        let raw = |change: &FakeDelta| match change {
            FakeDelta::NodeAdded(row, node) => of_node(BERTH_DELTA_NODE_ADD, *row, node),
            FakeDelta::NodeChanged(row, node) => of_node(BERTH_DELTA_NODE_CHANGE, *row, node),
            FakeDelta::NodeRemoved(row, node) => of_node(BERTH_DELTA_NODE_REMOVE, *row, node),
            FakeDelta::PodAdded(row, pod) => of_pod(BERTH_DELTA_POD_ADD, *row, pod),
            FakeDelta::PodRemoved(row, pod) => of_pod(BERTH_DELTA_POD_REMOVE, *row, pod),
        };
        let raws: Vec<berth_delta> = changes.iter().map(raw).collect();
        let stride = size_of::<berth_delta>() as u32;
        let list = berth_list { ptr: raws.as_ptr() as *const c_void, n: raws.len() as u32, stride };
        self.host.told(|| unsafe { table.deltas.expect("deltas")(self.instance, list) })
    }
    /// What the plugin says that it keeps.
    pub fn dump(&self) -> String {
        let table: &berth_deltas = self.offered(BERTH_POINT_DELTAS);
        let call = table.dump.expect("dump");
        String::from_utf8(self.poured(|sink, ctx| unsafe { call(self.instance, sink, ctx) })).expect("text")
    }

    /// The state for the instance that takes this one's place.
    pub fn save(&self) -> Vec<u8> {
        let table: &berth_handover = self.offered(BERTH_POINT_HANDOVER);
        self.poured(|sink, ctx| unsafe { table.save.expect("save")(self.instance, sink, ctx) })
    }
    /// The state of the instance whose place this one takes.
    pub fn load(&self, version: &str, state: &[u8]) -> Result<Outcome, String> {
        let table: &berth_handover = self.offered(BERTH_POINT_HANDOVER);
        let code = unsafe { table.load.expect("load")(self.instance, borrow(version), borrow_bytes(state)) };
        self.host.take(code)?;
        Ok(Outcome { code, reasons: self.host.take_because(), wait_ns: 0 })
    }
    /// What this instance holds for an open attempt.
    pub fn describe(&self, pod: &FakePod, node: &str) -> Vec<u8> {
        let table: &berth_handover = self.offered(BERTH_POINT_HANDOVER);
        let (pod, node) = (self.host.pod(pod), self.intern(node));
        self.poured(|sink, ctx| unsafe { table.describe.expect("describe")(self.instance, pod, node, sink, ctx) })
    }
    /// An open attempt of the other instance.
    pub fn adopt(&self, pod: &FakePod, node: &str, state: &[u8]) {
        let table: &berth_handover = self.offered(BERTH_POINT_HANDOVER);
        let (pod, node) = (self.host.pod(pod), self.intern(node));
        self.host.told(|| unsafe { table.adopt.expect("adopt")(self.instance, pod, node, borrow_bytes(state)) })
    }
    /// It has ended.
    pub fn settle(&self, pod: &FakePod, bound: bool) {
        let table: &berth_handover = self.offered(BERTH_POINT_HANDOVER);
        let pod = self.host.pod(pod);
        self.host.told(|| unsafe { table.settle.expect("settle")(self.instance, pod, bound as i32) })
    }
    /// This one, made by `start_from`, comes into force.
    pub fn commit(&self, before: &PluginUnderTest) {
        let table: &berth_succession = self.offered(BERTH_POINT_SUCCESSION);
        self.host.told(|| unsafe { table.commit.expect("commit")(self.instance, before.instance) })
    }
}
