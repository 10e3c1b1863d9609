//! A plugin with every point that tests/plugin.rs does not have. Each call panics when the args name it.
use berth_plugin::constants::*;
use berth_plugin::services::ApiRequest;
use berth_plugin::*;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub struct Every {
    call: String,
    host: Host,
    classes: Objects,
    seen: Arc<Mutex<Vec<String>>>, // by deltas, objects, the handover and the succession
    ops: Mutex<Vec<PendingOp>>,
}

impl Every {
    fn maybe(&self, call: &str) {
        assert!(self.call != call, "{call} is broken");
    }
    fn see(&self, what: String) {
        self.seen.lock().unwrap().push(what);
    }
}

/// What its cycle keeps: a trial's copy counts pods, and panics being copied or dropped when the args say so.
struct Counted {
    pods: usize,
    call: String,
}
impl Clone for Counted {
    fn clone(&self) -> Self {
        assert!(self.call != "clone", "clone is broken");
        Counted { pods: self.pods, call: String::new() }
    }
}
impl Drop for Counted {
    fn drop(&mut self) {
        assert!(self.call != "free", "free is broken");
    }
}

impl Plugin for Every {
    const NAME: &'static str = "every";
    const VENDOR: &'static str = "example.org";
    const FLAGS: u32 = BERTH_F_SERIAL_ONLY;
    const NEEDS: &'static [&'static str] = &[BERTH_SERVICE_OBJECTS, BERTH_SERVICE_LOG];
    const USES: &'static [&'static str] = &[BERTH_SERVICE_TASKS, BERTH_SERVICE_BINDER];
    fn new(host: &Host) -> Result<Self, Error> {
        let call = host.args().get("in").as_str().unwrap_or("").to_string();
        let classes = Objects::new(host, "storage.k8s.io", "v1", "storageclasses");
        Ok(Every { call, host: host.clone(), classes, seen: Arc::default(), ops: Mutex::default() })
    }
    fn activate(&self) -> Result<(), Error> {
        self.classes.need().map(|_| ())
    }
    fn deactivate(&self) {
        self.ops.lock().unwrap().clear();
    }
}
impl QueueSort for Every {
    fn less(&self, a: &Queued, b: &Queued) -> bool {
        self.maybe("less");
        let key = |one: &Queued| (-one.pod().priority(), one.initial_attempt_unix_ns().unwrap_or(one.queued_unix_ns()), one.attempts());
        key(a) < key(b)
    }
}
impl PreFilter for Every {
    fn pre_filter(&self, cycle: &mut Cycle, _: &Pod) -> Result<PreFiltered, Error> {
        cycle.set_for_trials(Counted { pods: cycle.pods_on(0).len(), call: self.call.clone() });
        assert_eq!(cycle.get_mut::<Counted>().map(|counted| counted.pods), Some(1));
        Ok(PreFiltered::Everywhere)
    }
}
impl FilterRows for Every {
    const REUSE: Reuse = Reuse::NEVER;
    fn filter_rows(&self, cycle: &Cycle, _: &Pod, rows: &Rows, out: &mut Verdicts) -> Result<(), Error> {
        self.maybe("filter_rows");
        let full = cycle.reasons(&["node(s) were full", "of pods"]);
        let pods = cycle.column(BERTH_NODE_POD_COUNT, Id::ABSENT).unwrap_or(&[]);
        for (place, row) in rows.iter() {
            match pods.get(row as usize) {
                Some(2) => out.unschedulable(place, full),
                Some(3) => out.unresolvable(place, full),
                Some(4) => out.pending(place, full),
                _ => out.success(place),
            }
        }
        Ok(())
    }
}
impl PostFilter for Every {
    fn post_filter(&self, cycle: &mut Cycle, pod: &Pod, why: &Diagnosis) -> Result<PostFiltered, Error> {
        self.maybe("post_filter");
        assert!(why.verdict(99).is_none() && why.absent().code == BERTH_UNRESOLVABLE as u8);
        let hopeful = (0..cycle.row_count()).find(|row| why.of(*row).code == BERTH_UNSCHEDULABLE as u8);
        Ok(match (hopeful, pod.name()) {
            (Some(row), _) => {
                let node = cycle.node(row).map_or(Id::ABSENT, |node| node.name());
                PostFiltered { status: Status::Success, nominate: Nominate::Node(node) }
            }
            (None, "nominated") => PostFiltered { status: Status::Unschedulable("no".into()), nominate: Nominate::Clear },
            _ => Status::Unresolvable(vec!["no".into(), "never".into()].into()).into(),
        })
    }
}
impl ScoreRows for Every {
    const NORMALIZE: Normalize = Normalize::Call;
    fn score_rows(&self, cycle: &Cycle, pod: &Pod, rows: &Rows, out: &mut [i64]) -> Result<Scored, Error> {
        self.maybe("score_rows");
        if pod.name() == "any" {
            return Ok(Scored::Uniform(cycle.seed() as i64));
        }
        rows.iter().for_each(|(place, row)| out[place] = i64::from(row) + 1);
        Ok(Scored::Each)
    }
    fn normalize(&self, _: &Cycle, _: &Pod, _: &Rows, scores: &mut [i64]) -> Result<(), Error> {
        self.maybe("normalize");
        scores.iter_mut().for_each(|score| *score *= 10);
        Ok(())
    }
}
impl Permit for Every {
    fn permit(&self, _: &mut Cycle, _: &Pod, _: Id) -> Result<Status, Error> {
        let mut waiting = 0;
        self.host.each_waiting(|pod| {
            self.maybe("each_waiting");
            waiting += 1;
            assert!(if pod.name() == "good" { self.host.allow_waiting(pod.uid()) } else { self.host.reject_waiting(pod.uid(), "bad") });
        });
        Ok(if waiting > 0 { Status::Success } else { Status::Wait(Duration::from_secs(1)) })
    }
}
impl PreBind for Every {
    fn pre_flight(&self, cycle: &BindCycle, pod: &Pod, _: Id) -> Result<Status, Error> {
        self.maybe("pre_flight");
        assert_eq!(cycle.node_count(), 0);
        Ok(if pod.name() == "nothing" { Status::Skip } else { Status::Success })
    }
    fn pre_bind(&self, cycle: &mut BindCycle, pod: &Pod, _: Id, op: Op) -> Result<Answer, Error> {
        self.maybe("pre_bind");
        cycle.set_attempt(7u8);
        if pod.name() == "now" {
            return Ok(Status::Unschedulable("no disk".into()).into());
        }
        let (answer, op) = op.later();
        match pod.name() {
            "kept" => self.ops.lock().unwrap().push(op),
            "dropped" => drop(op),
            "broken" => {
                self.ops.lock().unwrap().push(op);
                panic!("with an op that is kept");
            }
            "failed" => op.done(Err(Error::new("disk is gone"))),
            "api" => self.host.send(&ApiRequest { verb: "GET", resource: "nodes", name: "a", ..Default::default() }, move |reply| {
                op.done(if reply.ok() { Ok(Status::Success) } else { Ok(Status::Unschedulable(reply.message.to_string().into())) })
            }),
            _ => drop(std::thread::spawn(move || op.done(Ok(Status::Success)))),
        }
        Ok(answer)
    }
}
impl Bind for Every {
    fn bind(&self, cycle: &mut BindCycle, pod: &Pod, node: Id, op: Op) -> Result<Answer, Error> {
        self.maybe("bind");
        assert_eq!(cycle.get_attempt::<u8>(), None);
        match pod.name() {
            "mine" => op.send_binding(pod, node),
            "wrong" => Ok(Status::Wait(Duration::ZERO).into()),
            _ => Ok(Status::Skip.into()),
        }
    }
}
impl PostBind for Every {
    fn post_bind(&self, cycle: &Cycle, pod: &Pod, _: Id) {
        self.maybe("post_bind");
        self.host.event(pod, None, "Normal", "Bound", "Binding", if cycle.cancelled() { "cancelled" } else { "done" });
        let (host, kept) = (self.host.clone(), self.host.keep_pod(pod));
        let broken = self.call == "task";
        self.host.post(Duration::from_secs(3), move || {
            assert!(!broken, "task is broken");
            assert!(host.activate_pod(kept.pod().uid()));
        });
    }
}
impl Hints for Every {
    fn registrations(&self) -> Vec<Registration> {
        self.maybe("interests");
        let class = Interest { resource: "storage.k8s.io/StorageClass", actions: BERTH_ACTION_ADD };
        vec![Registration::new("Node".to_string(), BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL), class.into()]
    }
    fn hint(&self, cycle: &Cycle, event: &Event, pod: &Pod) -> Result<bool, Error> {
        self.maybe("hints");
        assert_eq!(cycle.node_count(), 0);
        let node = event.new_node().ok_or_else(|| Error::new("an event about no node"))?;
        assert!(event.old_node().is_none() && event.new_pod().is_none() && event.new_value().is_null());
        let wanted = self.host.intern(pod.name());
        Ok(event.registration() == 0 && event.actions() == BERTH_ACTION_ADD && node.labels().has(wanted))
    }
}
impl Deltas for Every {
    const KINDS: u32 = BERTH_DELTA_PODS | BERTH_DELTA_NODES;
    fn deltas(&self, changes: &Changes) {
        self.maybe("deltas");
        let name = |node: NodeRecord| self.host.text(node.name()).to_string();
        for change in changes.iter() {
            self.see(match change {
                Delta::NodeAdded { row, node } => format!("+{row} {}", name(node)),
                Delta::NodeChanged { row, node } => format!("~{row} {}", name(node)),
                Delta::NodeRemoved { row, node } => format!("-{row} {}", name(node)),
                Delta::PodAdded { row, pod } => format!("+{row} pod {}", pod.name()),
                Delta::PodRemoved { row, pod } => format!("-{row} pod {}", pod.name()),
            })
        }
    }
    fn dump(&self) -> String {
        self.maybe("dump");
        self.seen.lock().unwrap().join(", ")
    }
}
impl ObjectChanges for Every {
    fn object_changed(&self, kind: ObjectKind, before: Option<Object>, now: Option<Object>) {
        self.maybe("object_changed");
        assert_eq!(self.classes.kind(), Some(kind));
        let provisioner = |object: Object| object.value().get("provisioner").as_str().unwrap_or("?").to_string();
        self.see(format!("{:?} -> {:?}", before.map(provisioner), now.map(provisioner)));
        assert_eq!(self.classes.with("", "fast", |fast| fast.is_some()), now.is_some());
    }
}
impl PreScore for Every {
    fn pre_score(&self, cycle: &mut Cycle, _: &Pod, _: &Rows) -> Result<Status, Error> {
        let names: Vec<&str> = self.classes.list(cycle, "").map(|class| class.name()).collect();
        let fast = self.classes.get(cycle, "", "fast").ok_or_else(|| Error::new("there is no class"))?;
        assert_eq!((names, fast.namespace()), (vec!["fast"], ""));
        self.host.info(0, "classes", &[("version", &self.classes.version().to_string())]);
        Ok(Status::Success)
    }
}
impl PodChange for Every {
    fn add_pod(&self, cycle: &mut TrialCycle, _: &Pod, added: &Pod, node: &Node) -> Result<Status, Error> {
        self.maybe("add_pod");
        let counted = cycle.get_mut::<Counted>().ok_or_else(|| Error::new("nothing is kept"))?;
        counted.pods += 1;
        Ok(match counted.pods {
            1..=3 => Status::Success,
            pods => return Err(Error::new(format!("{} is pod {pods} of {}", added.name(), self.host.text(node.name())))),
        })
    }
    fn remove_pod(&self, cycle: &mut TrialCycle, _: &Pod, _: &Pod, _: &Node) -> Result<Status, Error> {
        self.maybe("remove_pod");
        let counted = cycle.get_mut::<Counted>().ok_or_else(|| Error::new("nothing is kept"))?;
        counted.pods -= 1;
        Ok(Status::Success)
    }
}
impl Handover for Every {
    fn save(&self) -> Vec<u8> {
        self.maybe("save");
        vec![0, 255, 1]
    }
    fn load(&self, version: &str, state: &[u8]) -> Result<Status, Error> {
        self.maybe("load");
        match (version, state) {
            ("1.0.0", [0, 255, 1]) => Ok(Status::Success),
            ("1.0.0", _) => Err(Error::new("this is no state")),
            _ => Ok(Status::Skip),
        }
    }
    fn describe(&self, pod: &Pod, node: Id) -> Vec<u8> {
        self.maybe("describe");
        [pod.name(), "@", self.host.text(node)].concat().into_bytes()
    }
    fn adopt(&self, pod: &Pod, node: Id, state: &[u8]) {
        self.maybe("adopt");
        assert_eq!(state, self.describe(pod, node));
        self.see(format!("adopts {}", pod.name()));
    }
    fn settle(&self, pod: &Pod, bound: bool) {
        self.maybe("settle");
        self.see(format!("settles {} {bound}", pod.name()));
    }
}

impl Succession for Every {
    fn prepare(&self, host: &Host) -> Result<Self, Error> {
        self.maybe("prepare");
        let next = Every::new(host)?;
        match &next.call[..] {
            "refused" => Err(Error::new("nobody follows with these args")),
            _ => Ok(Every { seen: self.seen.clone(), ..next }),
        }
    }
    fn commit(&self, before: &Self) {
        self.maybe("commit");
        self.see(format!("{:?} follows {:?}", self.call, before.call));
    }
}

library!(Every: queue_sort, pre_filter, filter_rows, post_filter, pre_score, score_rows, permit, pre_bind, bind, post_bind,
         hints, deltas, objects, pod_change, handover, succession);
