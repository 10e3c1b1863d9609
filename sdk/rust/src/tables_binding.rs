//! The C tables of the points between the choice of a pod's node and the end of its attempt.
use crate::abi::*;
use crate::binding::*;
use crate::cycle::{BindCycle, Cycle};
use crate::guard::At;
use crate::host::Id;
use crate::instance::Instance;
use crate::library::{Offers, Table};
use crate::status::*;
use crate::tables::{table, Constant, Tables};
use crate::views::Pod;
use std::cell::Cell;
use std::mem::size_of;
use std::os::raw::c_void;

table!(reserve, Reserve, "berth.plugin.reserve/1", "reserve", "", berth_reserve {
    rsv: 0, reserve: Some(reserve::<P>), unreserve: Some(unreserve::<P>),
});
table!(permit, Permit, "berth.plugin.permit/1", "permit", "", berth_permit {
    rsv: 0, permit: Some(permit::<P>),
});
table!(post_bind, PostBind, "berth.plugin.post_bind/1", "postBind", "", berth_post_bind {
    rsv: 0, post_bind: Some(post_bind::<P>),
});
table!(pre_bind, PreBind, "berth.plugin.pre_bind/1", "preBind", "", berth_pre_bind {
    rsv: 0, pre_flight: Some(pre_flight::<P>), pre_bind: Some(pre_bind::<P>),
});
table!(bind, Bind, "berth.plugin.bind/1", "bind", "", berth_bind {
    rsv: 0, bind: Some(bind::<P>),
});

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

unsafe extern "C" fn pre_flight<P: PreBind + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, node: berth_id,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("pre_flight", c);
    let cycle = BindCycle(Cycle::new(at.core, c));
    at.status(MAY_SKIP, || plugin.pre_flight(&cycle, &Pod::new(at.core, pod), Id(node)))
}

unsafe extern "C" fn pre_bind<P: PreBind + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, node: berth_id, op: *mut berth_op,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("pre_bind", c);
    ends(&at, MAY_NOTHING_ELSE, op, |op| {
        plugin.pre_bind(&mut BindCycle(Cycle::new(at.core, c)), &Pod::new(at.core, pod), Id(node), op)
    })
}

unsafe extern "C" fn bind<P: Bind + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, node: berth_id, op: *mut berth_op,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("bind", c);
    ends(&at, MAY_SKIP, op, |op| {
        plugin.bind(&mut BindCycle(Cycle::new(at.core, c)), &Pod::new(at.core, pod), Id(node), op)
    })
}

/// Runs a call that may end later. If the plugin took the op, the result is LATER, whatever the plugin returns, and
/// even if it panics.
fn ends<'a>(at: &'a At, may: u32, raw: *mut berth_op, call: impl FnOnce(Op) -> Result<Answer, Error>) -> berth_status {
    let taken = Cell::new(false);
    let status = at.status(may, || {
        let answer = call(Op { core: at.core, raw, taken: &taken })?;
        Ok(answer.0.unwrap_or(Status::Success))
    });
    if taken.get() { BERTH_LATER } else { status }
}
