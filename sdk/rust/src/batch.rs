//! Filter and Score of many nodes at once: for those who take columns, and loop themselves.
use crate::abi::*;
use crate::cycle::{Cycle, ReasonNumber, Rows};
use crate::plugin::{Normalize, Plugin, Reuse};
use crate::status::Error;
use crate::views::Pod;

/// [`Filter`](crate::Filter) of many nodes. In place of it.
pub trait FilterRows: Plugin {
    /// What the verdicts depend on.
    const REUSE: Reuse = Reuse::NEVER;
    /// Writes the verdict of each row at its index. Rows without a verdict are Success.
    fn filter_rows(&self, cycle: &Cycle, pod: &Pod, rows: &Rows, out: &mut Verdicts) -> Result<(), Error>;
}

/// What [`FilterRows`] says of the rows, each at its place in [`Rows`].
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
    /// A fault about this row alone: the attempt fails if nobody else rejected it.
    pub fn error(&mut self, place: usize, why: ReasonNumber) {
        self.reject(place, BERTH_ERROR, why)
    }
    /// It will do, after all.
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

/// [`Score`](crate::Score) of many nodes. In place of it.
pub trait ScoreRows: Plugin {
    /// What the scores depend on.
    const REUSE: Reuse = Reuse::NEVER;
    /// How the scores become 0 to 100.
    const NORMALIZE: Normalize = Normalize::Not;
    /// `out[place]` is of the row that `rows` has there.
    fn score_rows(&self, cycle: &Cycle, pod: &Pod, rows: &Rows, out: &mut [i64]) -> Result<Scored, Error>;
    /// As [`Score::normalize`](crate::Score::normalize).
    fn normalize(&self, _cycle: &Cycle, _pod: &Pod, _rows: &Rows, _scores: &mut [i64]) -> Result<(), Error> {
        Ok(())
    }
}
