//! The queue and the scheduling cycle.
use crate::EveryPoint;
use berth_plugin::abi::berth_kv;
use berth_plugin::constants::*;
use berth_plugin::services::{ApiRequest, PodMatch, PodSet, RowBits, Selector};
use berth_plugin::*;

/// The number of pods of the pod's app by row; trials change it.
#[derive(Clone)]
pub(crate) struct SameApp(Vec<u32>);

impl PreEnqueue for EveryPoint {
    fn pre_enqueue(&self, _: &Cycle, pod: &Pod) -> Result<Status, Error> {
        self.say("pre_enqueue");
        match pod.labels().has(self.hold) {
            true => Ok(Status::Unschedulable("it is held back".into())),
            false => Ok(Status::Success),
        }
    }
}

impl QueueSort for EveryPoint {
    fn less(&self, a: &Queued, b: &Queued) -> bool {
        self.say("less");
        let key = |one: &Queued| (-i64::from(one.pod().priority()), one.queued_unix_ns());
        key(a) < key(b)
    }
}

impl PreFilter for EveryPoint {
    fn pre_filter(&self, cycle: &mut Cycle, pod: &Pod) -> Result<PreFiltered, Error> {
        self.say("pre_filter");
        let app = match pod.labels().get(self.app) {
            Some(app) => app,
            None => return Ok(PreFiltered::Instead(Status::Skip)),
        };
        if self.unless.as_ref().map_or(false, |unless| unless.matches(&pod.labels())) {
            return Ok(PreFiltered::Instead(Status::Skip));
        }
        let of_app = |row: u32| cycle.pods_on(row).iter().filter(|pod| pod.labels().get(self.app) == Some(app)).count() as u32;
        let counts: Vec<u32> = (0..cycle.row_count()).map(|row| if cycle.is_live(row) { of_app(row) } else { 0 }).collect();
        self.compare(cycle, app, &counts)?;
        cycle.set_for_trials(SameApp(counts));
        Ok(PreFiltered::Everywhere)
    }
}

impl EveryPoint {
    /// If the host keeps counts, they must be equal.
    fn compare(&self, cycle: &mut Cycle, app: Id, counts: &[u32]) -> Result<(), Error> {
        if !self.host.offers(BERTH_SERVICE_POD_SETS) {
            return Ok(());
        }
        let of_app = [berth_kv { key: self.app.0, value: app.0 }];
        let conditions = [PodMatch::everywhere().labels(&of_app)];
        let kept = cycle.pod_counts(&PodSet::all_of(&conditions))?;
        let equal = counts.iter().enumerate().all(|(row, n)| i64::from(kept.of(row as u32)) == i64::from(*n));
        let sum: i64 = counts.iter().map(|n| i64::from(*n)).sum();
        if equal && kept.total() == sum { Ok(()) } else { Err(Error::new(format!("the host counts {}, and not {sum}", kept.total()))) }
    }
}

impl FilterRows for EveryPoint {
    fn filter_rows(&self, cycle: &Cycle, _: &Pod, rows: &Rows, out: &mut Verdicts) -> Result<(), Error> {
        self.say("filter_rows");
        let same = cycle.get::<SameApp>().ok_or_else(|| Error::new("PreFilter kept nothing"))?;
        let full = cycle.reasons(&["node(s) had enough of the app"]);
        for (place, row) in rows.iter() {
            if same.0.get(row as usize).map_or(false, |pods| *pods >= self.most) {
                out.unschedulable(place, full);
            }
        }
        Ok(())
    }
}

impl PodChange for EveryPoint {
    fn add_pod(&self, cycle: &mut TrialCycle, pod: &Pod, added: &Pod, node: &Node) -> Result<Status, Error> {
        self.say("add_pod");
        self.change(cycle, pod, added, node.row(), 1)
    }
    fn remove_pod(&self, cycle: &mut TrialCycle, pod: &Pod, removed: &Pod, node: &Node) -> Result<Status, Error> {
        self.say("remove_pod");
        self.change(cycle, pod, removed, node.row(), -1)
    }
}

impl EveryPoint {
    fn change(&self, cycle: &mut TrialCycle, pod: &Pod, other: &Pod, row: u32, by: i32) -> Result<Status, Error> {
        let same = cycle.get_mut::<SameApp>().ok_or_else(|| Error::new("PreFilter kept nothing"))?;
        if pod.labels().get(self.app) == other.labels().get(self.app) {
            let pods = same.0.get_mut(row as usize).ok_or_else(|| Error::new("a row beyond the snapshot"))?;
            *pods = (*pods as i32 + by).max(0) as u32;
        }
        Ok(Status::Success)
    }
}

impl PostFilter for EveryPoint {
    /// Evicts the least important pod of a node if its removal alone makes the pod fit.
    fn post_filter(&self, cycle: &mut Cycle, pod: &Pod, why: &Diagnosis) -> Result<PostFiltered, Error> {
        self.say("post_filter");
        for row in 0..cycle.row_count() {
            if !cycle.is_live(row) || why.of(row).code != BERTH_UNSCHEDULABLE as u8 || self.is_promised(cycle, row) {
                continue;
            }
            let pods = cycle.pods_on(row);
            let victim = match pods.iter().filter(|one| one.priority() < pod.priority()).min_by_key(|one| one.priority()) {
                Some(victim) => victim,
                None => continue,
            };
            let mut trial = cycle.trial(row)?;
            trial.remove(victim)?;
            let fits = trial.filter()?.ok();
            trial.add(victim)?; // the pod must not fit without the removal
            let fits_anyway = trial.filter()?.ok();
            drop(trial);
            if fits && !fits_anyway {
                self.evict(victim);
                let node = cycle.node(row).map_or(Id::ABSENT, |node| node.name());
                return Ok(PostFiltered { status: Status::Success, nominate: Nominate::Node(node) });
            }
        }
        Ok(Status::Unschedulable("no pod's leaving would help".into()).into())
    }
}

impl EveryPoint {
    /// Whether another pod is already nominated to this node.
    fn is_promised(&self, cycle: &mut Cycle, row: u32) -> bool {
        let node = cycle.node(row).map_or(Id::ABSENT, |node| node.name());
        self.host.offers(BERTH_SERVICE_NOMINATE) && !cycle.nominated_to(node).is_empty()
    }
    fn evict(&self, victim: &Pod) {
        let (host, namespace) = (self.host.clone(), self.host.text(victim.namespace()));
        let request = ApiRequest { verb: "DELETE", resource: "pods", namespace, name: victim.name(), ..Default::default() };
        self.host.send(&request, move |reply| {
            if !reply.ok() {
                host.warning("A pod could not be evicted", &[("why", reply.message)]);
            }
        });
    }
}

/// The number of nodes in the node's zone, by row.
struct Zones(Vec<i64>);

impl PreScore for EveryPoint {
    fn pre_score(&self, cycle: &mut Cycle, pod: &Pod, rows: &Rows) -> Result<Status, Error> {
        self.say("pre_score");
        self.explain(cycle, pod, rows);
        let zones = cycle.domains(self.zone)?;
        let size = |row| zones.of(row).map_or(0, |zone| i64::from(zones.nodes(zone)));
        let sizes = (0..cycle.row_count()).map(size).collect();
        cycle.set_attempt(Zones(sizes));
        Ok(Status::Success)
    }
}

impl EveryPoint {
    /// Logs how many nodes and labels the selectors match.
    fn explain(&self, cycle: &Cycle, pod: &Pod, rows: &Rows) {
        if !self.host.offers(BERTH_SERVICE_SELECTORS) || !self.host.offers(BERTH_SERVICE_MATCHING) {
            return;
        }
        let mut bits = RowBits::new();
        pod.node_affinity().match_required(cycle, rows, &mut bits);
        let wanted = rows.iter().filter(|(place, _)| bits.get(*place)).count();
        let labels = pod.labels();
        let of_host = |raw| unsafe { Selector::new(raw) }; // the block belongs to the pod
        let spread = pod.spread().filter(|one| self.host.selector_matches(of_host(one.selector), &labels)).count();
        let preferred = pod.node_affinity().preferred_terms().map(|(weight, term)| {
            term.match_rows(cycle, rows, &mut bits);
            weight * rows.iter().filter(|(place, _)| bits.get(*place)).count() as i32
        });
        let preferred: i32 = preferred.sum();
        self.host.info(4, "everyPoint sees", &[
            ("pod", pod.name()), ("nodes", &wanted.to_string()), ("spread", &spread.to_string()),
            ("preferred", &preferred.to_string()), ("errors", &pod.node_affinity().required_errors()),
        ]);
    }
}

impl ScoreRows for EveryPoint {
    const NORMALIZE: Normalize = Normalize::Call;
    /// Prefers large zones and nodes with few pods.
    fn score_rows(&self, cycle: &Cycle, _: &Pod, rows: &Rows, out: &mut [i64]) -> Result<Scored, Error> {
        self.say("score_rows");
        let zones = cycle.get_attempt::<Zones>().ok_or_else(|| Error::new("PreScore kept nothing"))?;
        let pods = cycle.column(BERTH_NODE_POD_COUNT, Id::ABSENT).unwrap_or(&[]);
        for (place, row) in rows.iter() {
            let of = |column: &[i64]| column.get(row as usize).copied().unwrap_or(0);
            out[place] = 10 * of(&zones.0) - of(pods);
        }
        Ok(Scored::Each)
    }
    fn normalize(&self, _: &Cycle, _: &Pod, rows: &Rows, scores: &mut [i64]) -> Result<(), Error> {
        self.say("normalize");
        let of_rows = || rows.iter().map(|(place, _)| scores[place]);
        let (least, most) = (of_rows().min().unwrap_or(0), of_rows().max().unwrap_or(0));
        for (place, _) in rows.iter() {
            scores[place] = (scores[place] - least) * 100 / (most - least).max(1);
        }
        Ok(())
    }
}
