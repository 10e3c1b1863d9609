//! Preemption: trials with pods removed or added, nominated pods, and the part of extenders: `BERTH_SERVICE_TRIAL`,
//! `BERTH_SERVICE_NOMINATE`, `BERTH_SERVICE_EXTENDERS`, and the draft `BERTH_SERVICE_PODS`.
use crate::abi::*;
use crate::cycle::Cycle;
use crate::host::{ask, borrow, text_of, Core, Host, Id};
use crate::status::Error;
use crate::views::{records, Pod};
use std::marker::PhantomData;
use std::os::raw::c_void;

/// A row with hypothetical changes. It borrows the cycle exclusively, because cells and lists of the row change in
/// place; the drop reverts all changes. Read the row's pods first: [`Cycle::pods_on`].
pub struct Trial<'c, 'a> {
    core: &'a Core,
    raw: *mut berth_cycle,
    cycle: PhantomData<&'c mut Cycle<'a>>,
}

/// The verdict of the profile's filters for the row in its current state in the trial.
#[derive(Clone, Copy)]
pub struct TrialVerdict {
    /// Its texts: [`Cycle::reason_texts`], when the trial is over.
    pub verdict: berth_verdict,
    /// The plugin that rejected the row.
    pub plugin: Id,
}

impl TrialVerdict {
    /// The pod would fit.
    pub fn ok(&self) -> bool {
        self.verdict.code == BERTH_SUCCESS as u8
    }
}

impl<'a> Trial<'_, 'a> {
    /// Turns to another row: the following calls apply to it. Earlier rows keep their changes.
    pub fn on(&mut self, row: u32) -> Result<&mut Self, Error> {
        self.check(unsafe { ask!(self.core, trial.turn_to)(self.raw, row) })?;
        Ok(self)
    }
    /// A pod of the row leaves.
    pub fn remove(&mut self, pod: &Pod<'a>) -> Result<(), Error> {
        self.check(unsafe { ask!(self.core, trial.remove)(self.raw, pod.raw()) })
    }
    /// A pod is added, or comes back.
    pub fn add(&mut self, pod: &Pod<'a>) -> Result<(), Error> {
        self.check(unsafe { ask!(self.core, trial.add)(self.raw, pod.raw()) })
    }
    /// Runs the filters of the profile.
    pub fn filter(&mut self) -> Result<TrialVerdict, Error> {
        let (mut verdict, mut plugin) = (berth_verdict { code: 0, rsv: [0; 3], reasons: 0 }, BERTH_ID_ABSENT);
        self.check(unsafe { ask!(self.core, trial.filter)(self.raw, &mut verdict, &mut plugin) })?;
        Ok(TrialVerdict { verdict, plugin: Id(plugin) })
    }
    fn check(&self, status: berth_status) -> Result<(), Error> {
        match status {
            BERTH_SUCCESS => Ok(()),
            _ => Err(Error::new(unsafe { text_of(ask!(self.core, trial.error)(self.raw)).to_string() })),
        }
    }
}

impl Drop for Trial<'_, '_> {
    fn drop(&mut self) {
        if let Some(close) = self.core.services.trial.close {
            unsafe { close(self.raw) }
        }
    }
}

/// A node on which pods could leave for the preemptor.
pub struct Candidate<'a> {
    /// Its row.
    pub row: u32,
    /// How many of the pods have a disruption budget that would be exceeded.
    pub violations: i64,
    /// The pods that must leave, the most important first.
    pub pods: Vec<Pod<'a>>,
}

/// In calls that run alone.
impl<'a> Cycle<'a> {
    /// In PostFilter: a trial of this cycle's pod on a row. An error: the row belongs to no node, or has a trial.
    pub fn trial(&mut self, row: u32) -> Result<Trial<'_, 'a>, Error> {
        ask!(self.core, trial.close); // a trial that cannot be closed is not opened
        let raw = unsafe { ask!(self.core, trial.open)(self.core.raw, self.raw, row) };
        if raw.is_null() {
            return Err(Error::new(format!("there can be no trial on row {row}")));
        }
        Ok(Trial { core: self.core, raw, cycle: PhantomData })
    }
    /// Pods nominated to run on the node. Of a pod whose attempt is running, only namespace, name and uid are known.
    pub fn nominated_to(&mut self, node: Id) -> Vec<Pod<'a>> {
        let list = unsafe { ask!(self.core, nominate.of_node)(self.core.raw, node.0) };
        records::<*const berth_pod>(list).map(|pod| unsafe { Pod::new(self.core, *pod) }).collect()
    }
    /// The nodes with nominated pods, each once, in no order. Some may have left the cluster.
    pub fn nominated_nodes(&mut self) -> Vec<Id> {
        let list = unsafe { ask!(self.core, nominate.nodes)(self.core.raw) };
        records::<berth_id>(list).map(|id| Id(*id)).collect()
    }
    /// The unfinished pods of a namespace whose label `key` has this value, with and without a node, sorted by name. Use a
    /// fixed set of keys.
    pub fn labeled_pods(&mut self, ns: Id, key: Id, value: Id) -> Vec<Pod<'a>> {
        let list = unsafe { ask!(self.core, pods.labeled)(self.core.raw, ns.0, key.0, value.0) };
        records::<*const berth_pod>(list).map(|pod| unsafe { Pod::new(self.core, *pod) }).collect()
    }
    /// Removes the nomination of a waiting pod: in the queue at once, in its status by a write.
    pub fn clear_nomination(&mut self, pod: &Pod) {
        unsafe { ask!(self.core, nominate.clear)(self.core.raw, pod.raw()) }
    }
    /// Whether an extender takes part in preemption for this pod. Without extenders, none does.
    pub fn extenders_preempt(&mut self, pod: &Pod) -> bool {
        match self.core.services.extenders {
            berth_extenders { preempts: Some(asks), preempt: Some(_), .. } => unsafe { asks(self.core.raw, pod.raw()) != 0 },
            _ => false,
        }
    }
    /// In PostFilter, if an extender takes part: the candidates that the extenders accept. Waits for their replies. An
    /// error: there must be no preemption.
    pub fn ask_extenders(&mut self, pod: &Pod, candidates: &[Candidate]) -> Result<Vec<Candidate<'a>>, Error> {
        let pods: Vec<Vec<*const berth_pod>> =
            candidates.iter().map(|one| one.pods.iter().map(|pod| pod.raw() as *const berth_pod).collect()).collect();
        let raw = |(one, pods): (&Candidate, &Vec<*const berth_pod>)| berth_candidate {
            row: one.row, rsv: 0, violations: one.violations, pods: list(pods),
        };
        let asked: Vec<berth_candidate> = candidates.iter().zip(&pods).map(raw).collect();
        let (mut left, mut why) = (list::<berth_candidate>(&[]), borrow(""));
        let call = ask!(self.core, extenders.preempt);
        match unsafe { call(self.core.raw, pod.raw(), list(&asked), &mut left, &mut why) } {
            BERTH_SUCCESS => Ok(records::<berth_candidate>(left).map(|raw| self.candidate(raw)).collect()),
            _ => Err(Error::new(unsafe { text_of(why).to_string() })),
        }
    }
    fn candidate(&self, raw: &berth_candidate) -> Candidate<'a> {
        let pods = records::<*const berth_pod>(raw.pods).map(|pod| unsafe { Pod::new(self.core, *pod) }).collect();
        Candidate { row: raw.row, violations: raw.violations, pods }
    }
}

fn list<T>(items: &[T]) -> berth_list {
    berth_list { ptr: items.as_ptr() as *const c_void, n: items.len() as u32, stride: std::mem::size_of::<T>() as u32 }
}

impl Host {
    /// A pod that waits in Permit, or whose PreBind has not ended, returns to the queue; reason: "preempted". False:
    /// the pod is in neither of these stages.
    pub fn give_up(&self, uid: &str, reason: &str) -> bool {
        unsafe { ask!(self.0, nominate.give_up)(self.0.raw, borrow(uid), borrow(reason)) != 0 }
    }
}
