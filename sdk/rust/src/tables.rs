//! The C tables of a plugin's extension points: each function turns one call of the host into one of the plugin.
use crate::abi::*;
use crate::args;
use crate::cycle::{Cycle, Rows};
use crate::guard::At;
use crate::host::{ask, borrow, Id};
use crate::instance::Instance;
use crate::library::{Offers, Table};
use crate::plugin::*;
use crate::status::*;
use crate::views::{Node, Pod};
use std::marker::PhantomData;
use std::mem::size_of;
use std::os::raw::c_void;

/// `Tables::<P>::filter`: the names that [`library!`](crate::library!) is given.
#[doc(hidden)]
pub struct Tables<P>(PhantomData<P>);

// A table as a constant of its own, so that a reference to it lives for ever.
trait Constant<Kind> {
    const TABLE: Kind;
}

// A constant of Tables<P> that tells of one table: id, the note's word, "draft/1" of a draft, the table itself.
macro_rules! table {
    ($point:ident, $trait:path, $id:literal, $noted:literal, $draft:literal, $kind:ident { $($field:ident: $value:expr),+ $(,)? }) => {
        impl<P: $trait + Offers> Constant<$kind> for Tables<P> {
            const TABLE: $kind = $kind { size: size_of::<$kind>() as u32, $($field: $value),+ };
        }
        #[allow(non_upper_case_globals)]
        impl<P: $trait + Offers> Tables<P> {
            pub const $point: Table = Table {
                id: concat!($id, "\0"),
                noted: $noted,
                draft: $draft,
                interests: &[],
                raw: &<Self as Constant<$kind>>::TABLE as *const $kind as *const c_void,
            };
        }
    };
}

table!(args, args::CheckedArgs, "berth.library.args/1", "", "", berth_args {
    rsv: 0, complete: Some(args::complete::<P>), check: Some(args::check::<P>),
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
    normalize_kind: match P::NORMALIZE {
        Normalize::Not => BERTH_NORMALIZE_NONE,
        Normalize::Scale => BERTH_NORMALIZE_DEFAULT,
        Normalize::Reverse => BERTH_NORMALIZE_REVERSE,
        Normalize::Call => BERTH_NORMALIZE_CALL,
    },
    reuse: <P as Score>::REUSE.0,
    score: Some(score::<P>),
    normalize: match P::NORMALIZE { Normalize::Call => Some(normalize::<P>), _ => None },
});
table!(reserve, Reserve, "berth.plugin.reserve/1", "reserve", "reserve/1", berth_reserve {
    rsv: 0, reserve: Some(reserve::<P>), unreserve: Some(unreserve::<P>),
});
table!(permit, Permit, "berth.plugin.permit/1", "permit", "permit/1", berth_permit {
    rsv: 0, permit: Some(permit::<P>),
});
table!(post_bind, PostBind, "berth.plugin.post_bind/1", "postBind", "post_bind/1", berth_post_bind {
    rsv: 0, post_bind: Some(post_bind::<P>),
});

#[allow(non_upper_case_globals)]
impl<P: Events + Offers> Tables<P> {
    pub const events: Table = Table {
        id: "berth.plugin.events/1\0",
        noted: "",
        draft: "",
        interests: P::INTERESTS,
        raw: &berth_events {
            size: size_of::<berth_events>() as u32, rsv: 0, interests: Some(interests::<P>), hints: None,
        } as *const berth_events as *const c_void,
    };
}

unsafe extern "C" fn interests<P: Offers>(p: *mut berth_plugin) -> berth_list {
    let list = Instance::<P>::of(p).interests();
    berth_list { ptr: list.as_ptr() as *const c_void, n: list.len() as u32, stride: size_of::<berth_interest>() as u32 }
}

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
        // A lock that a panic poisoned holds names nobody reads any more.
        let mut kept = me.names.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        *kept = names.iter().map(|id| id.0).collect();
        (*out).narrowed = 1;
        (*out).names = kept.as_ptr();
        (*out).n = kept.len() as u32;
        Ok(Status::Success)
    })
}

/// The numbers of reasons that were given in this call: most nodes are rejected for the same one.
struct Reasons<'a> {
    at: At<'a>,
    last: Option<(Text, u32)>,
}

impl Reasons<'_> {
    unsafe fn number(&mut self, text: &Text) -> u32 {
        match &self.last {
            Some((known, number)) if known == text => *number,
            _ => {
                let reason = borrow(text);
                let number = ask!(self.at.core, cycle.reasons)(self.at.core.raw, self.at.cycle, &reason, 1);
                self.last = Some((text.clone(), number));
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
        let mut reasons = Reasons { at, last: None };
        for (place, row) in Rows::new(rows).iter() {
            let status = plugin.filter(&cycle, &pod, &Node::new(snap, row))?;
            match (&status, status.reason()) {
                (Status::Success, _) => {}
                (_, None) => return Err(Error::new(format!("filter answered {status:?} of a node"))),
                (_, Some(reason)) => {
                    let verdict = &mut *out.add(place);
                    verdict.code = status.code() as u8;
                    verdict.reasons = reasons.number(reason);
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
        let scores = std::slice::from_raw_parts_mut(io, rows.places());
        plugin.normalize(&Cycle::new(at.core, c), &Pod::new(at.core, pod), &rows, scores)
    })
}

unsafe extern "C" fn reserve<P: Reserve + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, node: berth_id,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("reserve", c);
    at.status(MAY_NOTHING_ELSE, || plugin.reserve(&mut Cycle::new(at.core, c), &Pod::new(at.core, pod), Id(node)))
}
unsafe extern "C" fn unreserve<P: Reserve + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, node: berth_id,
) {
    let (plugin, at) = Instance::<P>::of(p).at("unreserve", c);
    at.quiet(|| plugin.unreserve(&Cycle::new(at.core, c), &Pod::new(at.core, pod), Id(node)))
}

unsafe extern "C" fn permit<P: Permit + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, node: berth_id, wait_ns: *mut i64,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("permit", c);
    at.status(MAY_WAIT, || {
        let status = plugin.permit(&mut Cycle::new(at.core, c), &Pod::new(at.core, pod), Id(node))?;
        if let Status::Wait(time) = status {
            *wait_ns = i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        }
        Ok(status)
    })
}

unsafe extern "C" fn post_bind<P: PostBind + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, node: berth_id,
) {
    let (plugin, at) = Instance::<P>::of(p).at("post_bind", c);
    at.quiet(|| plugin.post_bind(&Cycle::new(at.core, c), &Pod::new(at.core, pod), Id(node)))
}
