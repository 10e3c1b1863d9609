//! The C tables of events, changes, trials, the handover and the succession.
use crate::abi::*;
use crate::beside::*;
use crate::cycle::{Cycle, TrialCycle};
use crate::events::*;
use crate::guard::At;
use crate::host::{borrow_bytes, bytes_of, text_of, Id};
use crate::instance::Instance;
use crate::library::{Offers, Table};
use crate::plugin::Plugin;
use crate::status::*;
use crate::tables::{table, Constant, Tables};
use crate::views::{Node, Pod, Pods};
use std::mem::size_of;
use std::os::raw::c_void;

table!(events, Events, "berth.plugin.events/1", "", "", berth_events {
    rsv: 0, interests: Some(interests::<P>), hints: None,
});
table!(hints, Hints, "berth.plugin.events/1", "", "", berth_events {
    rsv: 0, interests: Some(registrations::<P>), hints: Some(hints::<P>),
});
table!(deltas, Deltas, "berth.plugin.deltas/1", "", "", berth_deltas {
    mask: P::KINDS, deltas: Some(deltas::<P>), dump: Some(dump::<P>),
});
table!(objects, ObjectChanges, "berth.plugin.objects/1", "", "", berth_object_changes {
    rsv: 0, changed: Some(changed::<P>),
});
table!(pod_change, PodChange, "berth.plugin.pod_change/1", "", "", berth_pod_change {
    rsv: 0, add_pod: Some(add_pod::<P>), remove_pod: Some(remove_pod::<P>),
});
table!(handover, Handover, "berth.plugin.handover/1", "", "", berth_handover {
    flags: if P::HOLDS_NO_ATTEMPTS { BERTH_HANDOVER_NO_ATTEMPTS } else { 0 },
    save: Some(save::<P>),
    load: Some(load::<P>),
    describe: Some(describe::<P>),
    adopt: Some(adopt::<P>),
    settle: Some(settle::<P>),
});
table!(succession, Succession, "berth.plugin.succession/1", "", "succession/1", berth_succession {
    rsv: 0, prepare: Some(prepare::<P>), commit: Some(commit::<P>),
});

unsafe fn at<'a, P: Offers>(p: *mut berth_plugin, call: &'static str) -> (&'a P, At<'a>) {
    Instance::<P>::of(p).at(call, std::ptr::null_mut())
}

unsafe extern "C" fn interests<P: Events + Offers>(p: *mut berth_plugin) -> berth_list {
    Instance::<P>::of(p).register(|_| P::INTERESTS.iter().map(|interest| (*interest).into()).collect())
}
unsafe extern "C" fn registrations<P: Hints + Offers>(p: *mut berth_plugin) -> berth_list {
    Instance::<P>::of(p).register(Hints::registrations)
}

unsafe extern "C" fn hints<P: Hints + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, event: *const berth_event, pods: *const *const berth_pod, n: u32, queue: *mut u8,
) -> berth_status {
    let (plugin, at) = Instance::<P>::of(p).at("hints", c);
    at.done(|| {
        if n == 0 {
            return Ok(());
        }
        std::ptr::write_bytes(queue, 0, n as usize); // as it arrives: a bool can only be 0 or 1
        let queue = std::slice::from_raw_parts_mut(queue as *mut bool, n as usize);
        plugin.hints(&Cycle::new(at.core, c), &Event::new(at.core, event), &Pods::new(at.core, pods, n), queue)
    })
}

unsafe extern "C" fn deltas<P: Deltas + Offers>(p: *mut berth_plugin, list: berth_list) {
    let (plugin, at) = at::<P>(p, "deltas");
    at.quiet(|| plugin.deltas(&Changes::new(at.core, list)))
}
unsafe extern "C" fn dump<P: Deltas + Offers>(p: *mut berth_plugin, sink: berth_text_sink, ctx: *mut c_void) {
    let (plugin, at) = at::<P>(p, "dump");
    at.quiet(|| pour(plugin.dump().as_bytes(), sink, ctx))
}
unsafe extern "C" fn changed<P: ObjectChanges + Offers>(
    p: *mut berth_plugin, kind: u32, before: *const berth_object, now: *const berth_object,
) {
    let (plugin, at) = at::<P>(p, "object_changed");
    at.quiet(|| plugin.object_changed(ObjectKind(kind), Object::maybe(at.core, before), Object::maybe(at.core, now)))
}

type Changed<P> = fn(&P, &mut TrialCycle, &Pod, &Pod, &Node) -> Result<Status, Error>;

unsafe fn change<P: Plugin>(
    (plugin, at): (&P, At), call: Changed<P>, pod: *const berth_pod, other: *const berth_pod, row: u32,
) -> berth_status {
    at.status(MAY_NOTHING_ELSE, || {
        let around = Cycle::new(at.core, at.cycle); // the node's; the plugin gets another one, to change its data
        let node = around.node(row).ok_or_else(|| Error::new("a trial without a snapshot"))?;
        let mut trial = TrialCycle(Cycle::new(at.core, at.cycle));
        call(plugin, &mut trial, &Pod::new(at.core, pod), &Pod::new(at.core, other), &node)
    })
}
unsafe extern "C" fn add_pod<P: PodChange + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, added: *const berth_pod, row: u32,
) -> berth_status {
    change(Instance::<P>::of(p).at("add_pod", c), P::add_pod, pod, added, row)
}
unsafe extern "C" fn remove_pod<P: PodChange + Offers>(
    p: *mut berth_plugin, c: *mut berth_cycle, pod: *const berth_pod, removed: *const berth_pod, row: u32,
) -> berth_status {
    change(Instance::<P>::of(p).at("remove_pod", c), P::remove_pod, pod, removed, row)
}

unsafe extern "C" fn save<P: Handover + Offers>(p: *mut berth_plugin, sink: berth_text_sink, ctx: *mut c_void) {
    let (plugin, at) = at::<P>(p, "save");
    at.quiet(|| pour(&plugin.save(), sink, ctx))
}
unsafe extern "C" fn load<P: Handover + Offers>(p: *mut berth_plugin, version: berth_str, state: berth_str) -> berth_status {
    let (plugin, at) = at::<P>(p, "load");
    at.status(MAY_SKIP, || plugin.load(text_of(version), bytes_of(state)))
}
unsafe extern "C" fn describe<P: Handover + Offers>(
    p: *mut berth_plugin, pod: *const berth_pod, node: berth_id, sink: berth_text_sink, ctx: *mut c_void,
) {
    let (plugin, at) = at::<P>(p, "describe");
    at.quiet(|| pour(&plugin.describe(&Pod::new(at.core, pod), Id(node)), sink, ctx))
}
unsafe extern "C" fn adopt<P: Handover + Offers>(
    p: *mut berth_plugin, pod: *const berth_pod, node: berth_id, state: berth_str,
) {
    let (plugin, at) = at::<P>(p, "adopt");
    at.quiet(|| plugin.adopt(&Pod::new(at.core, pod), Id(node), bytes_of(state)))
}
unsafe extern "C" fn settle<P: Handover + Offers>(p: *mut berth_plugin, pod: *const berth_pod, bound: i32) {
    let (plugin, at) = at::<P>(p, "settle");
    at.quiet(|| plugin.settle(&Pod::new(at.core, pod), bound != 0))
}

unsafe extern "C" fn prepare<P: Succession + Offers>(p: *mut berth_plugin, host: *const berth_host) -> *mut berth_plugin {
    let (plugin, _) = at::<P>(p, "prepare");
    Instance::<P>::create_from(plugin, P::prepare, host) // which init calls: until then no service can be used
}
unsafe extern "C" fn commit<P: Succession + Offers>(successor: *mut berth_plugin, p: *mut berth_plugin) {
    let ((plugin, at), (before, _)) = (at::<P>(successor, "commit"), at::<P>(p, "commit"));
    at.quiet(|| plugin.commit(before))
}

unsafe fn pour(bytes: &[u8], sink: berth_text_sink, ctx: *mut c_void) {
    if let Some(sink) = sink {
        sink(ctx, borrow_bytes(bytes))
    }
}
