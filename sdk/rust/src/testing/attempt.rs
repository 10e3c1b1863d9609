//! One attempt of one pod: the calls a host makes in it.
use super::cluster::FakePod;
use super::services::{live_rows, FakeCycle};
use super::PluginUnderTest;
use crate::abi::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::mem::size_of;

/// What a call answered: its status, its reasons, and how long to wait (Permit).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// `constants::BERTH_SUCCESS` and so on, never BERTH_ERROR.
    pub code: berth_status,
    /// As the pod's condition would show them.
    pub reasons: Vec<String>,
    /// Nanoseconds.
    pub wait_ns: i64,
}

impl Outcome {
    /// Success.
    pub fn ok(&self) -> bool {
        self.code == BERTH_SUCCESS
    }
}

/// Answers by node.
pub type PerNode<T> = BTreeMap<String, T>;

/// Data that the plugin keeps lives as long as this. Errors are the plugin's text.
pub struct Attempt<'a> {
    plugin: &'a PluginUnderTest,
    pod: &'static berth_pod,
    cycle: RefCell<Box<FakeCycle>>,
    live: &'static [u64],
}

impl<'a> Attempt<'a> {
    pub(crate) fn new(plugin: &'a PluginUnderTest, pod: FakePod) -> Self {
        let instance = plugin.instance;
        assert!(!instance.is_null(), "the plugin is not started");
        let free = unsafe { (*instance).cycle_free }.expect("cycle_free");
        let data = [std::ptr::null_mut(); 2];
        let cycle = Box::new(FakeCycle { host: &*plugin.host, snapshot: true, data, free, instance });
        let live = live_rows(&plugin.host);
        Attempt { plugin, pod: plugin.host.pod(&pod), cycle: RefCell::new(cycle), live }
    }

    fn raw(&self) -> *mut berth_cycle {
        &mut **self.cycle.borrow_mut() as *mut FakeCycle as *mut berth_cycle
    }
    fn rows(&self) -> berth_rows {
        let n = self.plugin.host.rows.len() as u32;
        let size = size_of::<berth_rows>() as u32;
        berth_rows { size, n, first: 0, rsv: 0, rows: std::ptr::null(), live: self.live.as_ptr() }
    }
    fn outcome(&self, code: berth_status, wait_ns: i64) -> Result<Outcome, String> {
        self.plugin.host.take(code)?;
        Ok(Outcome { code, reasons: self.plugin.host.take_because(), wait_ns })
    }
    fn per_node<T>(&self, answers: Vec<T>) -> PerNode<T> {
        self.plugin.host.rows.iter().map(|row| row.node.name.clone()).zip(answers).collect()
    }

    /// Before any scheduling cycle.
    pub fn pre_enqueue(&self) -> Result<Outcome, String> {
        let table: &berth_pre_enqueue = self.plugin.offered(BERTH_POINT_PRE_ENQUEUE);
        self.cycle.borrow_mut().snapshot = false;
        let code = unsafe { table.pre_enqueue.expect("pre_enqueue")(self.plugin.instance, self.raw(), self.pod) };
        self.cycle.borrow_mut().snapshot = true;
        self.outcome(code, 0)
    }
    /// The names that the pod is narrowed to, if it is.
    pub fn pre_filter(&self) -> Result<(Outcome, Option<Vec<String>>), String> {
        let table: &berth_pre_filter = self.plugin.offered(BERTH_POINT_PRE_FILTER);
        let size = size_of::<berth_names>() as u32;
        let mut out = berth_names { size, narrowed: 0, names: std::ptr::null(), n: 0, rsv: 0 };
        let code = unsafe { table.pre_filter.expect("pre_filter")(self.plugin.instance, self.raw(), self.pod, &mut out) };
        let outcome = self.outcome(code, 0)?;
        let names = (0..out.n as usize).map(|i| unsafe { *out.names.add(i) });
        let text = |id: berth_id| unsafe {
            let raw = self.plugin.host.raw();
            crate::host::text_of::<'static>((*raw).text.expect("text")(raw, id)).to_string()
        };
        Ok((outcome, (out.narrowed != 0).then(|| names.map(text).collect())))
    }
    /// What Filter says of each node.
    pub fn filter(&self) -> Result<PerNode<Outcome>, String> {
        let table: &berth_filter = self.plugin.offered(BERTH_POINT_FILTER);
        let rows = self.rows();
        let mut out = vec![berth_verdict { code: 0, rsv: [0; 3], reasons: 0 }; rows.n as usize];
        let call = table.filter.expect("filter");
        let code = unsafe { call(self.plugin.instance, self.raw(), self.pod, &rows, out.as_mut_ptr()) };
        self.outcome(code, 0)?;
        let reasons = self.plugin.host.reasons.take();
        let told = |verdict: berth_verdict| Outcome {
            code: verdict.code.into(),
            reasons: verdict.reasons.checked_sub(1).map_or(Vec::new(), |i| reasons[i as usize].clone()),
            wait_ns: 0,
        };
        Ok(self.per_node(out.into_iter().map(told).collect()))
    }
    /// All nodes are feasible.
    pub fn pre_score(&self) -> Result<Outcome, String> {
        let table: &berth_pre_score = self.plugin.offered(BERTH_POINT_PRE_SCORE);
        let call = table.pre_score.expect("pre_score");
        let code = unsafe { call(self.plugin.instance, self.raw(), self.pod, &self.rows()) };
        self.outcome(code, 0)
    }
    /// Raw scores of each node; `normalize` brings them into 0 to 100.
    pub fn score(&self) -> Result<PerNode<i64>, String> {
        let table: &berth_score = self.plugin.offered(BERTH_POINT_SCORE);
        let rows = self.rows();
        let mut out = vec![0; rows.n as usize];
        let call = table.score.expect("score");
        let code = unsafe { call(self.plugin.instance, self.raw(), self.pod, &rows, out.as_mut_ptr()) };
        self.outcome(code, 0)?;
        Ok(self.per_node(out))
    }
    /// Of scores in the order of the nodes' names.
    pub fn normalize(&self, scores: &PerNode<i64>) -> Result<PerNode<i64>, String> {
        let table: &berth_score = self.plugin.offered(BERTH_POINT_SCORE);
        let mut io: Vec<i64> = self.plugin.host.rows.iter().map(|row| scores[&row.node.name]).collect();
        let call = table.normalize.expect("normalize");
        let code = unsafe { call(self.plugin.instance, self.raw(), self.pod, &self.rows(), io.as_mut_ptr()) };
        self.outcome(code, 0)?;
        Ok(self.per_node(io))
    }
    /// Books the node.
    pub fn reserve(&self, node: &str) -> Result<Outcome, String> {
        let table: &berth_reserve = self.plugin.offered(BERTH_POINT_RESERVE);
        let node = self.plugin.intern(node);
        let code = unsafe { table.reserve.expect("reserve")(self.plugin.instance, self.raw(), self.pod, node) };
        self.outcome(code, 0)
    }
    /// Takes the booking back.
    pub fn unreserve(&self, node: &str) {
        let table: &berth_reserve = self.plugin.offered(BERTH_POINT_RESERVE);
        let node = self.plugin.intern(node);
        unsafe { table.unreserve.expect("unreserve")(self.plugin.instance, self.raw(), self.pod, node) }
    }
    /// The last word.
    pub fn permit(&self, node: &str) -> Result<Outcome, String> {
        let table: &berth_permit = self.plugin.offered(BERTH_POINT_PERMIT);
        let (node, mut wait_ns) = (self.plugin.intern(node), 0);
        let call = table.permit.expect("permit");
        let code = unsafe { call(self.plugin.instance, self.raw(), self.pod, node, &mut wait_ns) };
        self.outcome(code, wait_ns)
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        let cycle = self.cycle.borrow();
        for data in cycle.data.iter().filter(|data| !data.is_null()) {
            unsafe { (cycle.free)(cycle.instance, *data) }
        }
    }
}
