//! The binding cycle: from the chosen node to the bound pod.
use crate::EveryPoint;
use berth_plugin::*;
use std::time::Duration;

impl Reserve for EveryPoint {
    fn reserve(&self, _: &mut Cycle, pod: &Pod, node: Id) -> Result<Status, Error> {
        self.say("reserve");
        self.booked().insert(pod.uid().into(), self.host.text(node).into());
        Ok(Status::Success)
    }
    fn unreserve(&self, _: &Cycle, pod: &Pod, _: Id) {
        self.say("unreserve");
        self.booked().remove(pod.uid());
    }
}

impl Permit for EveryPoint {
    /// The second pod of a pair allows both pods.
    fn permit(&self, _: &mut Cycle, pod: &Pod, _: Id) -> Result<Status, Error> {
        self.say("permit");
        let pair = match pod.labels().get(self.pair) {
            Some(pair) => pair,
            None => return Ok(Status::Success),
        };
        let mut found = false;
        self.host.each_waiting(|other| {
            if other.uid() != pod.uid() && other.labels().get(self.pair) == Some(pair) {
                found |= self.host.allow_waiting(other.uid());
            }
        });
        Ok(if found { Status::Success } else { Status::Wait(Duration::from_secs(30)) })
    }
}

impl PreBind for EveryPoint {
    fn pre_flight(&self, _: &BindCycle, pod: &Pod, _: Id) -> Result<Status, Error> {
        self.say("pre_flight");
        Ok(if pod.labels().has(self.pair) { Status::Success } else { Status::Skip })
    }
    /// Ends a second later and holds no thread meanwhile. If the instance ends before, the task drops the op, and the op fails.
    fn pre_bind(&self, cycle: &mut BindCycle, _: &Pod, _: Id, op: Op) -> Result<Answer, Error> {
        self.say("pre_bind");
        if cycle.cancelled() {
            return Ok(Status::Unschedulable("it was given up".into()).into());
        }
        let (answer, op) = op.later();
        self.host.post(Duration::from_secs(1), move || op.done(Ok(Status::Success)));
        Ok(answer)
    }
}

impl Bind for EveryPoint {
    fn bind(&self, _: &mut BindCycle, pod: &Pod, node: Id, op: Op) -> Result<Answer, Error> {
        self.say("bind");
        op.send_binding(pod, node)
    }
}

impl PostBind for EveryPoint {
    fn post_bind(&self, _: &Cycle, pod: &Pod, node: Id) {
        self.say("post_bind");
        self.booked().remove(pod.uid());
        self.host.event(pod, None, "Normal", "EveryPoint", "Binding", &format!("bound to {}", self.host.text(node)));
    }
}

impl Handover for EveryPoint {
    fn save(&self) -> Vec<u8> {
        self.say("save");
        let lines: Vec<String> = self.booked().iter().map(|(pod, node)| format!("{pod} {node}\n")).collect();
        lines.concat().into_bytes()
    }
    fn load(&self, version: &str, state: &[u8]) -> Result<Status, Error> {
        self.say("load");
        if version != env!("CARGO_PKG_VERSION") {
            return Ok(Status::Skip);
        }
        let mut booked = std::collections::BTreeMap::new();
        for line in std::str::from_utf8(state)?.lines() {
            let (pod, node) = line.split_once(' ').ok_or_else(|| Error::new("a booking without a node"))?;
            booked.insert(pod.to_string(), node.to_string());
        }
        *self.booked() = booked;
        Ok(Status::Success)
    }
    fn describe(&self, pod: &Pod, _: Id) -> Vec<u8> {
        self.say("describe");
        self.booked().get(pod.uid()).map_or(Vec::new(), |node| node.clone().into_bytes())
    }
    fn adopt(&self, pod: &Pod, node: Id, _: &[u8]) {
        self.say("adopt");
        self.booked().insert(pod.uid().into(), self.host.text(node).into());
    }
    fn settle(&self, pod: &Pod, _: bool) {
        self.say("settle");
        self.booked().remove(pod.uid());
    }
}

impl Succession for EveryPoint {
    fn prepare(&self, host: &Host) -> Result<Self, Error> {
        Ok(EveryPoint { booked: self.booked.clone(), ..EveryPoint::new(host)? })
    }
    fn commit(&self, before: &Self) {
        self.say("commit");
        let open = self.booked().len();
        self.host.info(4, "everyPoint follows itself", &[("most", &self.most.to_string()), ("before", &before.most.to_string()),
            ("open", &open.to_string())]);
    }
}
