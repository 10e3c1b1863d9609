//! everyPoint: limits the pods of one app on a node, binds the two halves of a pair together, and implements every extension
//! point. Written in Rust, with only the installed SDK.
mod binding;
mod cluster;
mod deciding;

use berth_plugin::constants::*;
use berth_plugin::services::LabelSelector;
use berth_plugin::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

pub(crate) struct EveryPoint {
    host: Host,
    most: u32, // pods of one app on a node
    app: Id,   // label keys
    pair: Id,
    zone: Id,
    hold: Id,
    unless: Option<LabelSelector>, // pods that the limit does not apply to
    classes: Objects,
    kept: Mutex<Kept>,
    booked: Arc<Mutex<Booked>>,
}

/// What the instance knows outside of the cycles; each instance builds it again. It is small, and the lock is short.
#[derive(Default)]
pub(crate) struct Kept {
    pods: BTreeMap<u32, i64>, // by row, counted from deltas
    classes: u32,
}

/// The node of each reserved pod. An instance shares the map with the successor that replaces it because of other args, and
/// each instance changes only the entries of its own attempts.
type Booked = BTreeMap<String, String>;

impl EveryPoint {
    /// Logs one line per call, which the test of the whole library looks for.
    fn say(&self, call: &str) {
        if self.host.verbose(4) {
            self.host.info(4, "everyPoint is asked", &[("call", call)]);
        }
    }
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
    fn booked(&self) -> MutexGuard<'_, Booked> {
        self.booked.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

fn most(args: Value) -> Result<u32, ArgsErrors> {
    for (key, _) in args.members().filter(|(key, _)| *key != "most" && *key != "unless") {
        return Err(vec![(key.into(), format!("unknown field \"{key}\""))]);
    }
    match (args.get("most").kind(), args.get("most").as_i64().and_then(|most| u32::try_from(most).ok())) {
        (Kind::Null, _) => Ok(1),
        (_, Some(most)) if most > 0 => Ok(most),
        _ => Err(vec![("most".into(), format!("Invalid value: {}: must be above 0", args.get("most").to_json()))]),
    }
}

impl Plugin for EveryPoint {
    const NAME: &'static str = "everyPoint";
    const VENDOR: &'static str = "example.org";
    const NEEDS: &'static [&'static str] = &[
        BERTH_SERVICE_API, BERTH_SERVICE_BINDER, BERTH_SERVICE_DOMAINS, BERTH_SERVICE_OBJECTS, BERTH_SERVICE_TASKS,
        BERTH_SERVICE_TRIAL, BERTH_SERVICE_WAITING,
    ];

    const USES: &'static [&'static str] = &[
        BERTH_SERVICE_EXTENDERS, BERTH_SERVICE_MATCHING, BERTH_SERVICE_NOMINATE, BERTH_SERVICE_POD_SETS, BERTH_SERVICE_RANDOM,
    ];

    fn new(host: &Host) -> Result<Self, Error> {
        let unless = host.args().get("unless");
        let compiled = if unless.is_null() { Ok(None) } else { host.label_selector(unless).map(Some) };
        Ok(EveryPoint {
            unless: compiled.map_err(|wrong| Error::new(format!("unless: {wrong:?}")))?,
            most: most(host.args()).map_err(|wrong| Error::new(format!("args: {wrong:?}")))?,
            app: host.intern("app"),
            pair: host.intern("example.org/pair"),
            zone: host.intern("topology.kubernetes.io/zone"),
            hold: host.intern("example.org/hold"),
            classes: Objects::new(host, "storage.k8s.io", "v1", "storageclasses"),
            kept: Mutex::default(),
            booked: Arc::default(),
            host: host.clone(),
        })
    }
    fn activate(&self) -> Result<(), Error> {
        self.classes.need()?;
        self.host.open_column(BERTH_NODE_LABEL, self.zone)
    }
    fn deactivate(&self) {
        self.say("deactivate");
    }
}

impl CheckedArgs for EveryPoint {
    fn complete(args: Value) -> Result<String, ArgsErrors> {
        let (most, unless) = (most(args)?, args.get("unless"));
        if unless.is_null() {
            return Ok(format!(r#"{{"most":{most}}}"#));
        }
        let wrong = unless.label_selector_errors();
        if wrong.is_empty() {
            return Ok(format!(r#"{{"most":{most},"unless":{}}}"#, unless.to_json()));
        }
        Err(wrong.into_iter().map(|(path, text)| (format!("unless.{path}"), text)).collect())
    }
}

library!(EveryPoint: args, pre_enqueue, queue_sort, pre_filter, filter_rows, post_filter, pre_score, score_rows, reserve,
         permit, pre_bind, bind, post_bind, hints, deltas, objects, pod_change, handover, succession);

#[cfg(test)]
mod tests;
