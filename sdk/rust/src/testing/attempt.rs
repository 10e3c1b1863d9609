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
    pub(super) plugin: &'a PluginUnderTest,
    pub(super) pod: &'static berth_pod,
    pub(super) cycle: RefCell<Box<FakeCycle>>,
    owns: [bool; 2],
    live: &'static [u64],
}

impl<'a> Attempt<'a> {
    pub(crate) fn new(plugin: &'a PluginUnderTest, pod: FakePod) -> Self {
        let instance = plugin.instance;
        assert!(!instance.is_null(), "the plugin is not started");
        let mut cycle = plugin.cycle([std::ptr::null_mut(); 2]);
        let (pod, live) = (plugin.host.pod(&pod), live_rows(&plugin.host));
        cycle.pod = pod;
        Attempt { plugin, pod, cycle: RefCell::new(cycle), owns: [true; 2], live }
    }

    pub(super) fn raw(&self) -> *mut berth_cycle {
        &mut **self.cycle.borrow_mut() as *mut FakeCycle as *mut berth_cycle
    }
    fn rows(&self) -> berth_rows {
        let n = self.plugin.host.rows.len() as u32;
        let size = size_of::<berth_rows>() as u32;
        berth_rows { size, n, first: 0, rsv: 0, rows: std::ptr::null(), live: self.live.as_ptr() }
    }
    pub(super) fn outcome(&self, code: berth_status, wait_ns: i64) -> Result<Outcome, String> {
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
        Ok((outcome, (out.narrowed != 0).then(|| names.map(|id| self.plugin.text(id)).collect())))
    }
    /// What Filter says of each node.
    pub fn filter(&self) -> Result<PerNode<Outcome>, String> {
        let table: &berth_filter = self.plugin.offered(BERTH_POINT_FILTER);
        let rows = self.rows();
        let mut out = vec![berth_verdict { code: 0, rsv: [0; 3], reasons: 0 }; rows.n as usize];
        let call = table.filter.expect("filter");
        let code = unsafe { call(self.plugin.instance, self.raw(), self.pod, &rows, out.as_mut_ptr()) };
        self.outcome(code, 0)?;
        let reasons = std::mem::take(&mut *self.plugin.host.reasons.lock().unwrap());
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
        if code == BERTH_UNIFORM {
            return Ok(self.per_node(vec![out[0]; out.len()]));
        }
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
    /// A pod that fits nowhere: what Filter said by node (other nodes count as not examined), and of those not examined.
    pub fn post_filter(&self, said: &PerNode<berth_status>, absent: berth_status) -> Result<(Outcome, Nominated), String> {
        let table: &berth_post_filter = self.plugin.offered(BERTH_POINT_POST_FILTER);
        let verdict = |code: berth_status| berth_verdict { code: code as u8, rsv: [0; 3], reasons: 0 };
        let rows = &self.plugin.host.rows;
        let verdicts: Vec<_> = rows.iter().map(|row| verdict(said.get(&row.node.name).copied().unwrap_or(0))).collect();
        let size = size_of::<berth_diagnosis>() as u32;
        let diagnosis = berth_diagnosis { size, rsv: 0, verdicts: verdicts.as_ptr(), absent: verdict(absent) };
        let size = size_of::<berth_post_result>() as u32;
        let mut out = berth_post_result { size, mode: BERTH_NOMINATE_NOOP, node: BERTH_ID_ABSENT, rsv: 0 };
        let call = table.post_filter.expect("post_filter");
        let code = unsafe { call(self.plugin.instance, self.raw(), self.pod, &diagnosis, &mut out) };
        let outcome = self.outcome(code, 0)?;
        Ok((outcome, match (out.mode, out.node) {
            (BERTH_NOMINATE_NOOP, _) => Nominated::AsBefore,
            (_, BERTH_ID_ABSENT) => Nominated::Nowhere,
            (_, node) => Nominated::To(self.plugin.text(node)),
        }))
    }

    /// The same pod with a copy of what the plugin keeps, as for nominated pods and preemption. It ends before this does.
    pub fn trial(&self) -> Attempt<'_> {
        let before = self.cycle.borrow();
        let clones = unsafe { (*before.instance).cycle_clone }.is_some();
        let data = before.data[BERTH_SLOT_CYCLE as usize];
        let copy = unsafe { before.copy(data) }.unwrap_or(data);
        assert!(data.is_null() || !copy.is_null(), "cycle_clone failed: {:?}", self.plugin.faults());
        let data = [copy, before.data[BERTH_SLOT_ATTEMPT as usize]];
        let owns = [clones, false];
        Attempt { plugin: self.plugin, pod: self.pod, cycle: RefCell::new(Box::new(before.with(data))), owns, live: self.live }
    }
    /// Of a trial: a pod comes to the node.
    pub fn add_pod(&self, added: &FakePod, node: &str) -> Result<Outcome, String> {
        let table: &berth_pod_change = self.plugin.offered(BERTH_POINT_POD_CHANGE);
        self.change(table.add_pod.expect("add_pod"), added, node)
    }
    /// Of a trial: a pod leaves the node.
    pub fn remove_pod(&self, removed: &FakePod, node: &str) -> Result<Outcome, String> {
        let table: &berth_pod_change = self.plugin.offered(BERTH_POINT_POD_CHANGE);
        self.change(table.remove_pod.expect("remove_pod"), removed, node)
    }
    fn change(&self, call: Change, pod: &FakePod, node: &str) -> Result<Outcome, String> {
        let row = self.plugin.host.rows.iter().position(|row| row.node.name == node).expect("a node of that name");
        let other = self.plugin.host.pod(pod);
        let code = unsafe { call(self.plugin.instance, self.raw(), self.pod, other, row as u32) };
        self.outcome(code, 0)
    }
}

type Change = unsafe extern "C" fn(*mut berth_plugin, *mut berth_cycle, *const berth_pod, *const berth_pod, u32) -> berth_status;

/// What PostFilter did with the pod's nominated node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nominated {
    /// Nothing.
    AsBefore,
    /// It is this one.
    To(String),
    /// There is none any more.
    Nowhere,
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        let cycle = self.cycle.borrow();
        let owned = cycle.data.iter().zip(self.owns).filter(|(data, owns)| *owns && !data.is_null());
        for (data, _) in owned {
            unsafe { cycle.let_go(*data) }
        }
    }
}
