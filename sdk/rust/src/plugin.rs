//! The trait Plugin, and the traits of the scheduling cycle that decide node by node. Other traits: batch.rs, queue.rs,
//! binding.rs, events.rs, beside.rs.
//!
//! Calls of one instance: those with `&mut Cycle`, those without a cycle, `normalize` and hints never run concurrently
//! with another call of a scheduling cycle; `filter`, `score` and `PodChange` may run on several threads at once;
//! `unreserve`, `post_bind` and calls with a `BindCycle` may run concurrently with all other calls.
use crate::abi::*;
use crate::cycle::{Cycle, Rows};
use crate::host::{Host, Id};
use crate::status::{Error, Status};
use crate::views::{Node, Pod};

/// A plugin: created once for each profile that enables it, and again for each change of its args.
pub trait Plugin: Sized + Send + Sync + 'static {
    /// Its name in profiles.
    const NAME: &'static str;
    /// Its vendor: a domain.
    const VENDOR: &'static str;
    /// A JSON Schema of the args.
    const ARGS_SCHEMA: Option<&'static str> = None;
    /// A JSON object of at most 4096 bytes: args for trying the plugin when no args are configured. `berthctl plugin
    /// validate`, the canary and error messages use them; no pod is decided with them.
    const SAMPLE_ARGS: Option<&'static str> = None;
    /// `constants::BERTH_F_*`: `BERTH_F_SERIAL_ONLY` where calls must come one at a time.
    const FLAGS: u32 = 0;
    /// Services (`constants::BERTH_SERVICE_*`) without which it does not start.
    const NEEDS: &'static [&'static str] = &[];
    /// Draft services that it uses if the host has them: the library's note names drafts.
    const USES: &'static [&'static str] = &[];
    /// The smallest minor of a host that it can work with.
    const MIN_HOST: u32 = 0;

    /// Reads the args and interns strings; no effect outside of the instance yet. The host may be kept.
    fn new(host: &Host) -> Result<Self, Error>;
    /// Called after `new`; after it, any call may follow.
    fn activate(&self) -> Result<(), Error> {
        Ok(())
    }
    /// The last call: after it returns, no thread or callback of the plugin may be left. May block.
    fn deactivate(&self) {}
}

/// The inputs of a result, in addition to the args: the host reuses the result while they are equal. Declare too much
/// rather than too little. `Reuse::new().rows(BERTH_ROW_LABELS).total()`
#[derive(Clone, Copy)]
pub struct Reuse(pub(crate) berth_reuse);

impl Reuse {
    /// Never reuse: the result may depend on anything.
    pub const NEVER: Reuse = Reuse(berth_reuse { flags: 0, rsv: 0, pod_aspects: 0, row_aspects: 0, cluster_aspects: 0 });

    /// Depends on nothing yet.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Reuse(berth_reuse { flags: BERTH_REUSE, ..Self::NEVER.0 })
    }
    /// Adds these parts of the pod: `constants::BERTH_POD_*`.
    pub const fn pod(self, aspects: u64) -> Self {
        Reuse(berth_reuse { pod_aspects: self.0.pod_aspects | aspects, ..self.0 })
    }
    /// Adds these parts of the node: `constants::BERTH_ROW_*`.
    pub const fn rows(self, aspects: u64) -> Self {
        Reuse(berth_reuse { row_aspects: self.0.row_aspects | aspects, ..self.0 })
    }
    /// Adds these parts of the cluster: `constants::BERTH_CLUSTER_*`.
    pub const fn cluster(self, aspects: u64) -> Self {
        Reuse(berth_reuse { cluster_aspects: self.0.cluster_aspects | aspects, ..self.0 })
    }
    /// The result is also defined for nodes that another plugin rejected: calls may include them.
    pub const fn total(self) -> Self {
        Reuse(berth_reuse { flags: self.0.flags | BERTH_TOTAL, ..self.0 })
    }
}

/// Whether a pod may be tried at all.
pub trait PreEnqueue: Plugin {
    /// Success, or the reason that keeps it out of the active queue. There is no snapshot.
    fn pre_enqueue(&self, cycle: &Cycle, pod: &Pod) -> Result<Status, Error>;
}

/// The result of PreFilter.
pub enum PreFiltered {
    /// Any node may fit.
    Everywhere,
    /// At most these nodes, some of which may not exist.
    Only(Vec<Id>),
    /// No node, or Skip: every status except Success.
    Instead(Status),
}

/// Called once per attempt, before nodes are filtered.
pub trait PreFilter: Plugin {
    /// Store the data for Filter on the cycle.
    fn pre_filter(&self, cycle: &mut Cycle, pod: &Pod) -> Result<PreFiltered, Error>;
}

/// Whether a node fits.
pub trait Filter: Plugin {
    /// What the verdict depends on.
    const REUSE: Reuse = Reuse::NEVER;
    /// Success, Unschedulable, Unresolvable or Pending, of this node alone.
    fn filter(&self, cycle: &Cycle, pod: &Pod, node: &Node) -> Result<Status, Error>;
}

/// Called once per attempt, when the feasible nodes are known.
pub trait PreScore: Plugin {
    /// Success, or Skip.
    fn pre_score(&self, cycle: &mut Cycle, pod: &Pod, rows: &Rows) -> Result<Status, Error>;
}

/// How scores become 0 to 100.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Normalize {
    /// They already are.
    Not,
    /// The best becomes 100, the others in proportion.
    Scale,
    /// As Scale, then 100 minus that: the smallest is best.
    Reverse,
    /// By [`Score::normalize`].
    Call,
}

impl Normalize {
    pub(crate) const fn raw(self) -> u32 {
        match self {
            Normalize::Not => BERTH_NORMALIZE_NONE,
            Normalize::Scale => BERTH_NORMALIZE_DEFAULT,
            Normalize::Reverse => BERTH_NORMALIZE_REVERSE,
            Normalize::Call => BERTH_NORMALIZE_CALL,
        }
    }
}

/// Which node is better.
pub trait Score: Plugin {
    /// What the score depends on.
    const REUSE: Reuse = Reuse::NEVER;
    /// How the scores become 0 to 100.
    const NORMALIZE: Normalize = Normalize::Not;
    /// More is better.
    fn score(&self, cycle: &Cycle, pod: &Pod, node: &Node) -> Result<i64, Error>;
    /// Brings the scores of all nodes into 0 to 100: `scores[place]` is the score of the row at that place in `rows`.
    /// Called only with `Normalize::Call`.
    fn normalize(&self, _cycle: &Cycle, _pod: &Pod, _rows: &Rows, _scores: &mut [i64]) -> Result<(), Error> {
        Ok(())
    }
}
