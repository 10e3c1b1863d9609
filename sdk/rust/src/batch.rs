//! Filter and Score of many nodes at once: for plugins that read columns in their own loops.
use crate::abi::*;
use crate::cycle::{Cycle, ReasonNumber, Rows};
use crate::plugin::{Normalize, Plugin, Reuse};
use crate::status::Error;
use crate::views::Pod;

/// [`Filter`](crate::Filter) for many nodes. Use it instead of that trait.
pub trait FilterRows: Plugin {
    /// What the verdicts depend on.
    const REUSE: Reuse = Reuse::NEVER;
    /// Writes the verdict of each row at its index. Rows without a verdict are Success.
    fn filter_rows(&self, cycle: &Cycle, pod: &Pod, rows: &Rows, out: &mut Verdicts) -> Result<(), Error>;
}

/// The verdicts of [`FilterRows`] for the rows, each at its place in [`Rows`].
pub struct Verdicts<'a> {
    pub(crate) out: &'a mut [berth_verdict],
}

impl Verdicts<'_> {
    /// Not now; preemption or a change in the cluster may help.
    pub fn unschedulable(&mut self, place: usize, why: ReasonNumber) {
        self.reject(place, BERTH_UNSCHEDULABLE, why)
    }
    /// Not now, and preemption cannot help.
    pub fn unresolvable(&mut self, place: usize, why: ReasonNumber) {
        self.reject(place, BERTH_UNRESOLVABLE, why)
    }
    /// Like `unschedulable`, and an event of this plugin tries the pod again at once.
    pub fn pending(&mut self, place: usize, why: ReasonNumber) {
        self.reject(place, BERTH_PENDING, why)
    }
    /// A fault for this row only: the attempt fails if no other plugin rejected the row.
    pub fn error(&mut self, place: usize, why: ReasonNumber) {
        self.reject(place, BERTH_ERROR, why)
    }
    /// The row fits: replaces an earlier verdict.
    pub fn success(&mut self, place: usize) {
        self.out[place] = berth_verdict { code: BERTH_SUCCESS as u8, rsv: [0; 3], reasons: 0 };
    }
    fn reject(&mut self, place: usize, code: berth_status, why: ReasonNumber) {
        self.out[place] = berth_verdict { code: code as u8, rsv: [0; 3], reasons: why.0 };
    }
}

/// What [`ScoreRows`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scored {
    /// Each row has its score.
    Each,
    /// Every row has this one.
    Uniform(i64),
}

/// [`Score`](crate::Score) for many nodes. Use it instead of that trait.
pub trait ScoreRows: Plugin {
    /// What the scores depend on.
    const REUSE: Reuse = Reuse::NEVER;
    /// How the scores become 0 to 100.
    const NORMALIZE: Normalize = Normalize::Not;
    /// `out[place]` is the score of the row at that place in `rows`.
    fn score_rows(&self, cycle: &Cycle, pod: &Pod, rows: &Rows, out: &mut [i64]) -> Result<Scored, Error>;
    /// As [`Score::normalize`](crate::Score::normalize).
    fn normalize(&self, _cycle: &Cycle, _pod: &Pod, _rows: &Rows, _scores: &mut [i64]) -> Result<(), Error> {
        Ok(())
    }
}
