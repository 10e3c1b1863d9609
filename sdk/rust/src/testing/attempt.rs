//! One attempt of one pod: the calls that a host makes in it.
use super::cluster::FakePod;
use super::json::Json;
use super::library::Handle;
use super::PluginUnderTest;
use crate::abi::*;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

/// The result of a call: its status, its reasons, and how long to wait (Permit).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// `constants::BERTH_SUCCESS` and so on, never BERTH_ERROR.
    pub code: berth_status,
    /// As the pod's condition shows them.
    pub reasons: Vec<String>,
    /// Nanoseconds.
    pub wait_ns: i64,
}

impl Outcome {
    /// Success.
    pub fn ok(&self) -> bool {
        self.code == BERTH_SUCCESS
    }
    fn read(answer: &Json) -> Outcome {
        let wait_ns = answer.get("wait_ns").as_int();
        Outcome { code: answer.int("code") as berth_status, reasons: answer.texts("reasons"), wait_ns }
    }
    /// The error is the plugin's text.
    pub(super) fn of(answer: &Json) -> Result<Outcome, String> {
        let outcome = Outcome::read(answer);
        match outcome.code {
            BERTH_ERROR => Err(outcome.reasons.into_iter().next().unwrap_or_else(|| "ERROR without a text".into())),
            _ => Ok(outcome),
        }
    }
}

/// Results by node.
pub type PerNode<T> = BTreeMap<String, T>;

fn per_node<T>(answer: &Json, read: impl Fn(&Json) -> T) -> PerNode<T> {
    answer.get("nodes").members().iter().map(|(node, value)| (node.clone(), read(value))).collect()
}

/// PostFilter's change of the pod's nominated node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nominated {
    /// Nothing.
    AsBefore,
    /// It is this one.
    To(String),
    /// It is cleared.
    Nowhere,
}

/// Data that the plugin keeps lives as long as this. Errors are the plugin's text.
pub struct Attempt<'a> {
    plugin: &'a PluginUnderTest,
    number: i64,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(plugin: &'a PluginUnderTest, pod: &FakePod) -> Self {
        let number = plugin.host.call("attempt", Json::object([("pod", pod.json())])).int("attempt");
        Attempt { plugin, number }
    }
    fn call(&self, verb: &str, document: Json) -> Json {
        self.plugin.host.call(verb, document.with("attempt", Some(self.number.into())))
    }
    fn ask(&self, verb: &str) -> (Json, Result<Outcome, String>) {
        let answer = self.call(verb, Json::object([]));
        let outcome = Outcome::of(&answer);
        (answer, outcome)
    }
    fn of_node(&self, verb: &str, node: &str) -> Json {
        self.call(verb, Json::object([("node", node.into())]))
    }

    /// Called before any scheduling cycle.
    pub fn pre_enqueue(&self) -> Result<Outcome, String> {
        self.ask("pre_enqueue").1
    }
    /// The node names to which the pod is limited, if any.
    pub fn pre_filter(&self) -> Result<(Outcome, Option<Vec<String>>), String> {
        let (answer, outcome) = self.ask("pre_filter");
        Ok((outcome?, answer.is("narrowed").then(|| answer.texts("names"))))
    }
    /// The verdict of Filter for each node.
    pub fn filter(&self) -> Result<PerNode<Outcome>, String> {
        let (answer, outcome) = self.ask("filter");
        outcome.map(|_| per_node(&answer, Outcome::read))
    }
    /// All nodes are feasible.
    pub fn pre_score(&self) -> Result<Outcome, String> {
        self.ask("pre_score").1
    }
    /// Raw scores of each node; `normalize` brings them into 0 to 100.
    pub fn score(&self) -> Result<PerNode<i64>, String> {
        let (answer, outcome) = self.ask("score");
        outcome.map(|_| per_node(&answer, Json::as_int))
    }
    /// Normalized by the plugin, or by the rule that it names.
    pub fn normalize(&self, scores: &PerNode<i64>) -> Result<PerNode<i64>, String> {
        let answer = self.call("normalize", Json::object([("scores", Json::map(scores))]));
        Outcome::of(&answer).map(|_| per_node(&answer, Json::as_int))
    }
    /// For a pod that fits nowhere: the verdicts of Filter by node (other nodes count as not examined), and the verdict
    /// for nodes that were not examined.
    pub fn post_filter(&self, said: &PerNode<berth_status>, absent: berth_status) -> Result<(Outcome, Nominated), String> {
        let said = Json::Object(said.iter().map(|(node, code)| (node.clone(), i64::from(*code).into())).collect());
        let answer = self.call("post_filter", Json::object([("said", said), ("absent", i64::from(absent).into())]));
        let outcome = Outcome::of(&answer)?;
        Ok((outcome, match (answer.int("mode") as u32, answer.text("node")) {
            (BERTH_NOMINATE_NOOP, _) => Nominated::AsBefore,
            (_, node) if node.is_empty() => Nominated::Nowhere,
            (_, node) => Nominated::To(node),
        }))
    }

    /// The same pod with a copy of the plugin's data, as for nominated pods and preemption. It ends before this attempt
    /// does. Panics if the plugin cannot copy.
    pub fn trial(&self) -> Attempt<'_> {
        Attempt { plugin: self.plugin, number: self.call("trial", Json::object([])).int("attempt") }
    }
    /// In a trial: adds a pod to the node.
    pub fn add_pod(&self, added: &FakePod, node: &str) -> Result<Outcome, String> {
        Outcome::of(&self.call("add_pod", Json::object([("pod", added.json()), ("node", node.into())])))
    }
    /// In a trial: removes a pod from the node.
    pub fn remove_pod(&self, removed: &FakePod, node: &str) -> Result<Outcome, String> {
        Outcome::of(&self.call("remove_pod", Json::object([("pod", removed.json()), ("node", node.into())])))
    }

    /// Calls Reserve for the node.
    pub fn reserve(&self, node: &str) -> Result<Outcome, String> {
        Outcome::of(&self.of_node("reserve", node))
    }
    /// Calls Unreserve.
    pub fn unreserve(&self, node: &str) {
        self.of_node("unreserve", node);
    }
    /// Calls Permit.
    pub fn permit(&self, node: &str) -> Result<Outcome, String> {
        Outcome::of(&self.of_node("permit", node))
    }
    /// Whether there is something to do for PreBind.
    pub fn pre_flight(&self, node: &str) -> Result<Outcome, String> {
        Outcome::of(&self.of_node("pre_flight", node))
    }
    /// Does not wait for the end of the call.
    pub fn start_pre_bind(&self, node: &str) -> Started {
        Started { host: self.plugin.host.clone(), number: self.of_node("start_pre_bind", node).int("call") }
    }
    /// Waits for ten seconds.
    pub fn pre_bind(&self, node: &str) -> Result<Outcome, String> {
        ended(Outcome::of(&self.of_node("pre_bind", node)), "pre_bind")
    }
    /// Waits for ten seconds.
    pub fn bind(&self, node: &str) -> Result<Outcome, String> {
        ended(Outcome::of(&self.of_node("bind", node)), "bind")
    }
    /// Calls PostBind.
    pub fn post_bind(&self, node: &str) {
        self.of_node("post_bind", node);
    }
    /// Cancels the attempt: its result is no longer needed.
    pub fn cancel(&self) {
        self.call("cancel", Json::object([]));
    }
}

fn ended(outcome: Result<Outcome, String>, call: &str) -> Result<Outcome, String> {
    assert!(outcome.as_ref().map_or(true, |outcome| outcome.code != BERTH_LATER), "{call} has not ended");
    outcome
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        self.call("end_attempt", Json::object([]));
    }
}

/// A call that may not have ended yet. It may end after its attempt, and even when the plugin ends.
pub struct Started {
    host: Rc<Handle>,
    number: i64,
}

impl Started {
    /// None: it has not ended.
    pub fn outcome(&self) -> Option<Result<Outcome, String>> {
        self.wait(Duration::ZERO)
    }
    /// Waits for its end at most this long.
    pub fn wait(&self, time: Duration) -> Option<Result<Outcome, String>> {
        let document = Json::object([("call", self.number.into()), ("ns", (time.as_nanos() as i64).into())]);
        let answer = self.host.call("wait", document);
        answer.is("ended").then(|| Outcome::of(&answer))
    }
}
