//! Changes of the cluster outside of an attempt: hints, deltas, and object changes.
use crate::EveryPoint;
use berth_plugin::constants::*;
use berth_plugin::*;

impl Hints for EveryPoint {
    fn registrations(&self) -> Vec<Registration> {
        self.say("registrations");
        let unhinted = Interest { resource: "Node", actions: BERTH_ACTION_ADD };
        let pods = BERTH_ACTION_DELETE | BERTH_ACTION_UPDATE_POD_LABEL;
        vec![unhinted.into(), Registration::new("Pod", pods)]
    }
    /// True if another pod of the app is gone, or if the pod itself is no longer held.
    fn hint(&self, cycle: &Cycle, event: &Event, pod: &Pod) -> Result<bool, Error> {
        self.say("hint");
        assert_eq!(cycle.node_count(), 0);
        // False for a pod without an app, and for the pod itself: else a half of a pair that frees its node would requeue itself.
        let app = pod.labels().get(self.app);
        let same = |other: Pod| other.uid() != pod.uid() && app.is_some() && other.labels().get(self.app) == app;
        Ok(match (event.old_pod(), event.new_pod()) {
            (_, Some(now)) if now.uid() == pod.uid() => !now.labels().has(self.hold),
            (Some(gone), None) => same(gone),
            (Some(before), Some(now)) => same(before) && !same(now),
            _ => false,
        })
    }
}

impl Deltas for EveryPoint {
    fn deltas(&self, changes: &Changes) {
        self.say("deltas");
        let mut kept = self.kept();
        for change in changes.iter() {
            let (row, by) = match change {
                Delta::PodAdded { row, .. } => (row, 1),
                Delta::PodRemoved { row, .. } => (row, -1),
                _ => continue,
            };
            let pods = kept.pods.entry(row).or_insert(0);
            *pods += by;
            if *pods == 0 {
                kept.pods.remove(&row);
            }
        }
    }
    fn dump(&self) -> String {
        self.say("dump");
        format!("{:?}", self.kept().pods)
    }
}

impl ObjectChanges for EveryPoint {
    fn object_changed(&self, kind: ObjectKind, before: Option<Object>, now: Option<Object>) {
        self.say("object_changed");
        assert_eq!(Some(kind), self.classes.kind());
        let mut kept = self.kept();
        kept.classes = kept.classes + now.is_some() as u32 - before.is_some() as u32;
    }
}
