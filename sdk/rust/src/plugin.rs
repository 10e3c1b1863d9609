//! What a plugin is, and one trait per extension point, in the order in which a pod meets them.
//!
//! Calls of one instance: those with `&mut Cycle` and `normalize` never run beside another call of a scheduling cycle;
//! `filter` and `score` may run on several threads at once; `unreserve` and `post_bind` beside everything.
use crate::abi::*;
use crate::cycle::{Cycle, Rows};
use crate::host::{Host, Id};
use crate::status::{Error, Status};
use crate::views::{Node, Pod};

/// A plugin: made once for each profile that enables it, and again for each change of its args.
pub trait Plugin: Sized + Send + Sync + 'static {
    /// What profiles call it.
    const NAME: &'static str;
    /// Whose it is: a domain.
    const VENDOR: &'static str;
    /// A JSON Schema of the args.
    const ARGS_SCHEMA: Option<&'static str> = None;

    /// Reads the args and interns strings; no effect outside of the instance yet. The host may be kept.
    fn new(host: &Host) -> Result<Self, Error>;
    /// The next call may be any.
    fn activate(&self) -> Result<(), Error> {
        Ok(())
    }
    /// No call comes any more; afterwards no thread or callback of the plugin may be left. May block.
    fn deactivate(&self) {}
}

/// What a result is a function of, beside the args: the host answers equal questions itself. Say too much rather than too
/// little. `Reuse::new().rows(BERTH_ROW_LABELS).total()`
#[derive(Clone, Copy)]
pub struct Reuse(pub(crate) berth_reuse);

impl Reuse {
    /// Ask always: the result may depend on anything.
    pub const NEVER: Reuse = Reuse(berth_reuse { flags: 0, rsv: 0, pod_aspects: 0, row_aspects: 0, cluster_aspects: 0 });

    /// Depends on nothing yet.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Reuse(berth_reuse { flags: BERTH_REUSE, ..Self::NEVER.0 })
    }
    /// And on these parts of the pod: `constants::BERTH_POD_*`.
    pub const fn pod(self, aspects: u64) -> Self {
        Reuse(berth_reuse { pod_aspects: self.0.pod_aspects | aspects, ..self.0 })
    }
    /// And on these parts of the node: `constants::BERTH_ROW_*`.
    pub const fn rows(self, aspects: u64) -> Self {
        Reuse(berth_reuse { row_aspects: self.0.row_aspects | aspects, ..self.0 })
    }
    /// And on these parts of the cluster: `constants::BERTH_CLUSTER_*`.
    pub const fn cluster(self, aspects: u64) -> Self {
        Reuse(berth_reuse { cluster_aspects: self.0.cluster_aspects | aspects, ..self.0 })
    }
    /// And is defined for nodes that another plugin rejected: they may be asked about too.
    pub const fn total(self) -> Self {
        Reuse(berth_reuse { flags: self.0.flags | BERTH_TOTAL, ..self.0 })
    }
}

/// Whether a pod may be tried at all.
pub trait PreEnqueue: Plugin {
    /// Success, or what keeps it out of the active queue. There is no snapshot.
    fn pre_enqueue(&self, cycle: &Cycle, pod: &Pod) -> Result<Status, Error>;
}

/// What PreFilter found.
pub enum PreFiltered {
    /// Any node may do.
    Everywhere,
    /// At most these nodes, some of which may not exist.
    Only(Vec<Id>),
    /// No node, or none of this plugin's business: every status but Success.
    Instead(Status),
}

/// Once per attempt, before nodes are looked at.
pub trait PreFilter: Plugin {
    /// Leave what Filter needs on the cycle.
    fn pre_filter(&self, cycle: &mut Cycle, pod: &Pod) -> Result<PreFiltered, Error>;
}

/// Whether a node will do.
pub trait Filter: Plugin {
    /// What the verdict depends on.
    const REUSE: Reuse = Reuse::NEVER;
    /// Success, Unschedulable, Unresolvable or Pending, of this node alone.
    fn filter(&self, cycle: &Cycle, pod: &Pod, node: &Node) -> Result<Status, Error>;
}

/// Once per attempt, when the nodes that will do are known.
pub trait PreScore: Plugin {
    /// Success, or Skip.
    fn pre_score(&self, cycle: &mut Cycle, pod: &Pod, rows: &Rows) -> Result<Status, Error>;
}

/// How scores become 0 to 100.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Normalize {
    /// They are.
    Not,
    /// The best becomes 100, the others in proportion.
    Scale,
    /// As Scale, then 100 minus that: the smallest is best.
    Reverse,
    /// By [`Score::normalize`].
    Call,
}

/// Which node is better.
pub trait Score: Plugin {
    /// What the score depends on.
    const REUSE: Reuse = Reuse::NEVER;
    /// How the scores become 0 to 100.
    const NORMALIZE: Normalize = Normalize::Not;
    /// More is better.
    fn score(&self, cycle: &Cycle, pod: &Pod, node: &Node) -> Result<i64, Error>;
    /// Brings the scores of all nodes into 0 to 100: `scores[place]` is of the row that `rows` has there. Asked with
    /// `Normalize::Call` only.
    fn normalize(&self, _cycle: &Cycle, _pod: &Pod, _rows: &Rows, _scores: &mut [i64]) -> Result<(), Error> {
        Ok(())
    }
}

/// Books what a pod will use on its node.
pub trait Reserve: Plugin {
    /// Success, Unschedulable or Unresolvable.
    fn reserve(&self, cycle: &mut Cycle, pod: &Pod, node: Id) -> Result<Status, Error>;
    /// Takes it back. Cannot fail, may come twice, and where reserve never ran.
    fn unreserve(&self, cycle: &Cycle, pod: &Pod, node: Id);
}

/// The last word before a pod is bound.
pub trait Permit: Plugin {
    /// Success, Unschedulable, Unresolvable, or Wait.
    fn permit(&self, cycle: &mut Cycle, pod: &Pod, node: Id) -> Result<Status, Error>;
}

/// Hears that a pod was bound.
pub trait PostBind: Plugin {
    /// Informational.
    fn post_bind(&self, cycle: &Cycle, pod: &Pod, node: Id);
}

/// A kind of event that may help a pod which this plugin rejected.
pub struct Interest {
    /// "Pod", "Node", "storage.k8s.io/CSINode", "*".
    pub resource: &'static str,
    /// `constants::BERTH_ACTION_*`
    pub actions: u32,
}

/// Which events may help. A plugin without this trait is asked again after every event.
pub trait Events: Plugin {
    /// None: no event ever helps.
    const INTERESTS: &'static [Interest];
}
