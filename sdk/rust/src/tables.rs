//! The C tables of a plugin's extension points: each function turns one call of the host into one of the plugin. This
//! file has the scheduling cycle; tables_binding.rs and tables_beside.rs have the rest.
use crate::abi::*;
use crate::args::{check, complete, CheckedArgs};
use crate::cycle::{Cycle, Rows};
use crate::guard::At;
use crate::host::ask;
use crate::instance::Instance;
use crate::library::{Offers, Table};
use crate::batch::*;
use crate::plugin::*;
use crate::queue::*;
use crate::status::*;
use crate::views::{Node, Pod};
use std::marker::PhantomData;
use std::mem::size_of;
use std::os::raw::c_void;

/// `Tables::<P>::filter`: the names that [`library!`](crate::library!) is given.
#[doc(hidden)]
pub struct Tables<P>(PhantomData<P>);

// A table as a constant, so that a reference to it is 'static.
pub(crate) trait Constant<Point> {
    type Kind;
    const TABLE: Self::Kind;
}

// A constant of Tables<P> that describes one table: id, name in the note, "draft/1" of a draft, the table itself.
macro_rules! table {
    ($point:ident, $trait:path, $id:literal, $noted:literal, $draft:literal, $kind:ident { $($field:ident: $value:expr),+ $(,)? }) => {
        #[allow(non_camel_case_types)]
        pub(crate) enum $point {}
        impl<P: $trait + Offers> Constant<$point> for Tables<P> {
            type Kind = $kind;
            const TABLE: $kind = $kind { size: size_of::<$kind>() as u32, $($field: $value),+ };
        }
        #[allow(non_upper_case_globals)]
        impl<P: $trait + Offers> Tables<P> {
            pub const $point: Table = Table {
                id: concat!($id, "\0"),
                noted: $noted,
                draft: $draft,
                raw: &<Self as Constant<$point>>::TABLE as *const $kind as *const c_void,
            };
        }
    };
}

pub(crate) use table;

table!(args, CheckedArgs, "berth.library.args/1", "", "", berth_args {
    rsv: 0, complete: Some(complete::<P>), check: Some(check::<P>),
});
table!(pre_enqueue, PreEnqueue, "berth.plugin.pre_enqueue/1", "preEnqueue", "", berth_pre_enqueue {
    rsv: 0, pre_enqueue: Some(pre_enqueue::<P>),
});
table!(pre_filter, PreFilter, "berth.plugin.pre_filter/1", "preFilter", "", berth_pre_filter {
    rsv: 0, pre_filter: Some(pre_filter::<P>),
});
table!(filter, Filter, "berth.plugin.filter/1", "filter", "", berth_filter {
    rsv: 0, reuse: <P as Filter>::REUSE.0, filter: Some(filter::<P>),
});
table!(pre_score, PreScore, "berth.plugin.pre_score/1", "preScore", "", berth_pre_score {
    rsv: 0, pre_score: Some(pre_score::<P>),
});
table!(score, Score, "berth.plugin.score/1", "score", "", berth_score {
    normalize_kind: P::NORMALIZE.raw(),
    reuse: <P as Score>::REUSE.0,
    score: Some(score::<P>),
    normalize: match P::NORMALIZE { Normalize::Call => Some(normalize::<P>), _ => None },
});
table!(filter_rows, FilterRows, "berth.plugin.filter/1", "filter", "", berth_filter {
    rsv: 0, reuse: <P as FilterRows>::REUSE.0, filter: Some(filter_rows::<P>),
});
table!(score_rows, ScoreRows, "berth.plugin.score/1", "score", "", berth_score {
    normalize_kind: P::NORMALIZE.raw(),
    reuse: <P as ScoreRows>::REUSE.0,
    score: Some(score_rows::<P>),
    normalize: match P::NORMALIZE { Normalize::Call => Some(normalize_rows::<P>), _ => None },
});
table!(queue_sort, QueueSort, "berth.plugin.queue_sort/1", "queueSort", "", berth_queue_sort {
    rsv: 0, less: Some(less::<P>),
});
table!(post_filter, PostFilter, "berth.plugin.post_filter/1", "postFilter", "", berth_post_filter {
    rsv: 0, post_filter: Some(post_filter::<P>),
});

unsafe extern "C" fn pre_enqueue<P: PreEnqueue + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("pre_enqueue", c);
    at.status(MAY_NOTHING_ELSE, || plugin.pre_enqueue(&Cycle::new(at.core, c), &Pod::new(at.core, pod)))
}

unsafe extern "C" fn pre_filter<P: PreFilter + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, out: *mut berth_names,
) -> berth_status {
    let me = Instance::<P>::of(p);
    let (plugin, at) = me.at("pre_filter", c);
    at.status(MAY_SKIP, || {
        let names = match plugin.pre_filter(&mut Cycle::new(at.core, c), &Pod::new(at.core, pod))? {
            PreFiltered::Everywhere => return Ok(Status::Success),
            PreFiltered::Instead(Status::Success) => return Err(Error::new("pre_filter answered Instead(Success)")),
            PreFiltered::Instead(status) => return Ok(status),
            PreFiltered::Only(names) => names,
        };
        // If a panic poisoned the lock, its names are not read any more.
        let mut kept = me.names.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *kept = names.iter().map(|id| id.0).collect();
        (*out).narrowed = 1;
        (*out).names = kept.as_ptr();
        (*out).n = kept.len() as u32;
        Ok(Status::Success)
    })
}

/// The numbers of reasons that were given in this call: most nodes are rejected for the same one.
struct Numbers<'a> {
    at: At<'a>,
    last: Option<(Reasons, u32)>,
}

impl Numbers<'_> {
    unsafe fn of(&mut self, reasons: &Reasons) -> u32 {
        match &self.last {
            Some((known, number)) if known == reasons => *number,
            _ => {
                let call = ask!(self.at.core, cycle.reasons);
                let number = reasons.lend(|texts| call(self.at.core.raw, self.at.cycle, texts.as_ptr(), texts.len() as u32));
                self.last = Some((reasons.clone(), number));
                number
            }
        }
    }
}

unsafe extern "C" fn filter<P: Filter + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, rows: *const berth_rows, out: *mut berth_verdict,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("filter", c);
    at.done(|| {
        let (cycle, pod) = (Cycle::new(at.core, c), Pod::new(at.core, pod));
        let snap = cycle.snapshot().ok_or_else(|| Error::new("filter was called without a snapshot"))?;
        let mut numbers = Numbers { at, last: None };
        for (place, row) in Rows::new(rows).iter() {
            let status = plugin.filter(&cycle, &pod, &Node::new(snap, row))?;
            match (&status, status.reasons()) {
                (Status::Success, _) => {}
                (_, None) => return Err(Error::new(format!("filter answered {status:?} of a node"))),
                (_, Some(reasons)) => {
                    let verdict = &mut *out.add(place);
                    verdict.code = status.code() as u8;
                    verdict.reasons = numbers.of(reasons);
                }
            }
        }
        Ok(())
    })
}

unsafe extern "C" fn pre_score<P: PreScore + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, rows: *const berth_rows,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("pre_score", c);
    at.status(MAY_SKIP, || plugin.pre_score(&mut Cycle::new(at.core, c), &Pod::new(at.core, pod), &Rows::new(rows)))
}

unsafe extern "C" fn score<P: Score + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, rows: *const berth_rows, out: *mut i64,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("score", c);
    at.done(|| {
        let (cycle, pod) = (Cycle::new(at.core, c), Pod::new(at.core, pod));
        let snap = cycle.snapshot().ok_or_else(|| Error::new("score was called without a snapshot"))?;
        for (place, row) in Rows::new(rows).iter() {
            *out.add(place) = plugin.score(&cycle, &pod, &Node::new(snap, row))?;
        }
        Ok(())
    })
}

unsafe extern "C" fn normalize<P: Score + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, rows: *const berth_rows, io: *mut i64,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("normalize", c);
    at.done(|| {
        let rows = Rows::new(rows);
        plugin.normalize(&Cycle::new(at.core, c), &Pod::new(at.core, pod), &rows, slice(io, rows.places()))
    })
}

unsafe extern "C" fn filter_rows<P: FilterRows + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, rows: *const berth_rows, out: *mut berth_verdict,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("filter_rows", c);
    at.done(|| {
        let rows = Rows::new(rows);
        let mut verdicts = Verdicts { out: slice(out, rows.places()) };
        plugin.filter_rows(&Cycle::new(at.core, c), &Pod::new(at.core, pod), &rows, &mut verdicts)
    })
}

unsafe extern "C" fn score_rows<P: ScoreRows + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, rows: *const berth_rows, out: *mut i64,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("score_rows", c);
    let mut uniform = false;
    let status = at.done(|| {
        let rows = Rows::new(rows);
        let out = slice(out, rows.places());
        if let Scored::Uniform(score) = plugin.score_rows(&Cycle::new(at.core, c), &Pod::new(at.core, pod), &rows, out)? {
            if let Some(first) = out.first_mut() {
                *first = score;
                uniform = true;
            }
        }
        Ok(())
    });
    if status == BERTH_SUCCESS && uniform { BERTH_UNIFORM } else { status }
}

unsafe extern "C" fn normalize_rows<P: ScoreRows + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, rows: *const berth_rows, io: *mut i64,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("normalize", c);
    at.done(|| {
        let rows = Rows::new(rows);
        plugin.normalize(&Cycle::new(at.core, c), &Pod::new(at.core, pod), &rows, slice(io, rows.places()))
    })
}

unsafe extern "C" fn less<P: QueueSort + Offers>(p: *mut berth_plugin, a: *const berth_queued, b: *const berth_queued) -> i32 {
    let (plugin, at) = Instance::<P>::of(p).at("less", std::ptr::null_mut());
    at.value(false, || plugin.less(&Queued::new(at.core, a), &Queued::new(at.core, b))) as i32
}

unsafe extern "C" fn post_filter<P: PostFilter + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, diagnosis: *const berth_diagnosis,
    out: *mut berth_post_result,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("post_filter", c);
    at.status(MAY_NOTHING_ELSE, || {
        let mut cycle = Cycle::new(at.core, c);
        let diagnosis = Diagnosis::new(diagnosis, cycle.row_count());
        let did = plugin.post_filter(&mut cycle, &Pod::new(at.core, pod), &diagnosis)?;
        match did.nominate {
            Nominate::Keep => {}
            Nominate::Node(node) => ((*out).mode, (*out).node) = (BERTH_NOMINATE_OVERRIDE, node.0),
            Nominate::Clear => ((*out).mode, (*out).node) = (BERTH_NOMINATE_OVERRIDE, BERTH_ID_ABSENT),
        }
        Ok(did.status)
    })
}

/// An output of the host, which may be NULL if its length is 0.
unsafe fn slice<'a, T>(out: *mut T, n: usize) -> &'a mut [T] {
    if n == 0 { &mut [] } else { std::slice::from_raw_parts_mut(out, n) }
}
