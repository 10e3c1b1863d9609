//! A library of two plugins as a host calls it: every extension point, and panics in each.
use berth_plugin::constants::*;
use berth_plugin::testing::{FakeNode, FakePod, Json, PluginUnderTest};
use berth_plugin::*;
use std::time::Duration;

struct Spread {
    zone: Id,
    host: Host,
}

impl Plugin for Spread {
    const NAME: &'static str = "spread";
    const VENDOR: &'static str = "example.org";
    const ARGS_SCHEMA: Option<&'static str> = Some("{}");
    fn new(host: &Host) -> Result<Self, Error> {
        let key = host.args().get("key").as_str().unwrap_or("zone");
        if key == "bad" {
            return Err(Error::new("no key may be bad"));
        }
        Ok(Spread { zone: host.intern(key), host: host.clone() })
    }
}
impl CheckedArgs for Spread {
    fn complete(args: Value) -> Result<String, ArgsErrors> {
        match args.get("key").kind() {
            Kind::Null => Ok(r#"{"key":"zone"}"#.into()),
            Kind::String => Ok(args.to_json()),
            _ => Err(vec![("key".into(), "Invalid value: must be a string".into())]),
        }
    }
}
struct Seen(i64);
impl PreFilter for Spread {
    fn pre_filter(&self, cycle: &mut Cycle, pod: &Pod) -> Result<PreFiltered, Error> {
        cycle.set(Seen(1));
        cycle.set(Seen(7)); // takes the first one's place
        cycle.set_attempt(pod.name().to_string());
        match pod.name() {
            "pinned" => Ok(PreFiltered::Only(vec![self.host.intern("a"), self.host.intern("c")])),
            "skipped" => Ok(PreFiltered::Instead(Status::Skip)),
            "hopeless" => Ok(PreFiltered::Instead(Status::Unresolvable("no node has it".into()))),
            "wrong" => Ok(PreFiltered::Instead(Status::Wait(Duration::ZERO))),
            _ => Ok(PreFiltered::Everywhere),
        }
    }
}
impl Filter for Spread {
    const REUSE: Reuse = Reuse::new().rows(BERTH_ROW_LABELS).total();
    fn filter(&self, cycle: &Cycle, _pod: &Pod, node: &Node) -> Result<Status, Error> {
        assert_eq!(cycle.get::<Seen>().map(|seen| seen.0), Some(7));
        assert!(cycle.get::<String>().is_none(), "another type");
        Ok(match node.labels().get(self.zone).map(|zone| self.host.text(zone)) {
            Some("shut") => Status::Unschedulable("node(s) were shut".into()),
            Some(_) => Status::Success,
            None => Status::Unresolvable(format!("node(s) had no {}", self.host.text(self.zone)).into()),
        })
    }
}
impl PreScore for Spread {
    fn pre_score(&self, cycle: &mut Cycle, _pod: &Pod, rows: &Rows) -> Result<Status, Error> {
        cycle.set(rows.iter().count());
        Ok(Status::Success)
    }
}
impl Score for Spread {
    const NORMALIZE: Normalize = Normalize::Call;
    fn score(&self, cycle: &Cycle, pod: &Pod, node: &Node) -> Result<i64, Error> {
        let cpu = self.host.intern("cpu");
        let rows = *cycle.get::<usize>().ok_or_else(|| Error::new("no data of PreScore"))? as i64;
        Ok(node.allocatable(cpu) - node.requested(cpu) - pod.request(cpu) + 10 * rows + node.pods().count() as i64)
    }
    fn normalize(&self, _cycle: &Cycle, _pod: &Pod, rows: &Rows, scores: &mut [i64]) -> Result<(), Error> {
        let most = rows.iter().map(|(place, _)| scores[place]).max().unwrap_or(0).max(1);
        rows.iter().for_each(|(place, _)| scores[place] = (scores[place] * 100 / most).max(0));
        Ok(())
    }
}
impl Reserve for Spread {
    fn reserve(&self, cycle: &mut Cycle, _pod: &Pod, node: Id) -> Result<Status, Error> {
        Ok(match (self.host.text(node), cycle.node_named(node).is_some()) {
            (_, false) => Status::Unschedulable("that node is gone".into()),
            _ => Status::Success,
        })
    }
    fn unreserve(&self, cycle: &Cycle, _pod: &Pod, node: Id) {
        let pod = cycle.get_attempt::<String>().cloned().unwrap_or_default();
        self.host.info(0, "let go", &[("pod", &pod), ("node", self.host.text(node))]);
    }
}
impl Permit for Spread {
    fn permit(&self, _cycle: &mut Cycle, _pod: &Pod, _node: Id) -> Result<Status, Error> {
        Ok(Status::Wait(Duration::from_millis(5)))
    }
}

/// Panics in the call that its args name.
struct Panics {
    call: String,
    host: Host,
}
impl Panics {
    fn maybe(&self, call: &str) {
        if self.call == call {
            panic!("{call} is broken");
        }
    }
}
impl Drop for Panics {
    fn drop(&mut self) {
        self.maybe("drop");
    }
}
impl Plugin for Panics {
    const NAME: &'static str = "panics";
    const VENDOR: &'static str = "example.org";
    fn new(host: &Host) -> Result<Self, Error> {
        let plugin = Panics { call: host.args().get("in").as_str().unwrap_or("").into(), host: host.clone() };
        if plugin.call == "any" {
            std::panic::panic_any(42u64);
        }
        if plugin.call == "init" {
            panic!("init is broken");
        }
        Ok(plugin)
    }
    fn activate(&self) -> Result<(), Error> {
        self.maybe("activate");
        Ok(())
    }
    fn deactivate(&self) {
        self.host.info(0, "deactivates", &[]);
        self.maybe("deactivate");
    }
}
impl CheckedArgs for Panics {
    fn complete(args: Value) -> Result<String, ArgsErrors> {
        Ok(args.get("in").as_str().expect("in must be there").into())
    }
}
impl PreEnqueue for Panics {
    fn pre_enqueue(&self, cycle: &Cycle, _: &Pod) -> Result<Status, Error> {
        self.maybe("pre_enqueue");
        assert_eq!(cycle.node_count(), 0);
        Ok(Status::Pending("later".into()))
    }
}
impl PreFilter for Panics {
    fn pre_filter(&self, _: &mut Cycle, _: &Pod) -> Result<PreFiltered, Error> {
        self.maybe("pre_filter");
        Ok(PreFiltered::Everywhere)
    }
}
impl Filter for Panics {
    fn filter(&self, _: &Cycle, _: &Pod, _: &Node) -> Result<Status, Error> {
        self.maybe("filter");
        Ok(Status::Skip) // not its to return
    }
}
impl PreScore for Panics {
    fn pre_score(&self, _: &mut Cycle, _: &Pod, _: &Rows) -> Result<Status, Error> {
        self.maybe("pre_score");
        Ok(Status::Skip)
    }
}
impl Score for Panics {
    fn score(&self, _: &Cycle, _: &Pod, _: &Node) -> Result<i64, Error> {
        self.maybe("score");
        Ok("12x".parse()?)
    }
}
impl Reserve for Panics {
    fn reserve(&self, _: &mut Cycle, _: &Pod, _: Id) -> Result<Status, Error> {
        self.maybe("reserve");
        Ok(Status::Skip) // not its to return
    }
    fn unreserve(&self, _: &Cycle, _: &Pod, _: Id) {
        self.maybe("unreserve");
    }
}
impl Permit for Panics {
    fn permit(&self, _: &mut Cycle, _: &Pod, _: Id) -> Result<Status, Error> {
        self.maybe("permit");
        Ok(Status::Success)
    }
}
impl Events for Panics {
    const INTERESTS: &'static [Interest] = &[Interest { resource: "Node", actions: BERTH_ACTION_ADD }];
}

library!(Spread: args, pre_filter, filter, pre_score, score, reserve, permit;
         Panics: args, pre_enqueue, pre_filter, filter, pre_score, score, reserve, permit, events);

fn spread() -> PluginUnderTest {
    let mut plugin = PluginUnderTest::new(berth_entry_v1, "spread");
    let busy = FakePod::new("old").request("cpu", 1000);
    plugin.add(FakeNode::new("a").label("zone", "east").allocatable("cpu", 4000));
    plugin.add(FakeNode::new("b").label("zone", "shut").allocatable("cpu", 4000).pod(busy));
    plugin.add(FakeNode::new("c"));
    plugin.start().unwrap();
    plugin
}

#[test]
fn every_point_answers() {
    let plugin = spread();
    let attempt = plugin.attempt(FakePod::new("p").request("cpu", 500));
    assert_eq!(attempt.pre_filter().unwrap().1, None);
    let verdicts = attempt.filter().unwrap();
    assert!(verdicts["a"].ok());
    assert_eq!((verdicts["b"].code, verdicts["b"].reasons[0].as_str()), (BERTH_UNSCHEDULABLE, "node(s) were shut"));
    assert_eq!((verdicts["c"].code, verdicts["c"].reasons[0].as_str()), (BERTH_UNRESOLVABLE, "node(s) had no zone"));
    assert!(attempt.pre_score().unwrap().ok());
    let scores = attempt.score().unwrap();
    assert_eq!((scores["a"], scores["b"], scores["c"]), (3530, 2531, -470));
    assert_eq!(attempt.normalize(&scores).unwrap()["b"], 71);
    assert!(attempt.reserve("a").unwrap().ok());
    let gone = attempt.reserve("x").unwrap();
    assert_eq!((gone.code, gone.reasons), (BERTH_UNSCHEDULABLE, vec!["that node is gone".to_string()]));
    assert_eq!(attempt.permit("a").unwrap().wait_ns, 5_000_000);
    attempt.unreserve("a");
    assert_eq!(plugin.log(), [r#"let go pod="p" node="a""#]);
}

#[test]
fn pre_filter_narrows_skips_and_rejects() {
    let plugin = spread();
    let of = |name| plugin.attempt(FakePod::new(name)).pre_filter();
    assert_eq!(of("pinned").unwrap().1, Some(vec!["a".to_string(), "c".to_string()]));
    assert_eq!(of("skipped").unwrap().0.code, BERTH_SKIP);
    let hopeless = of("hopeless").unwrap().0;
    assert_eq!((hopeless.code, hopeless.reasons), (BERTH_UNRESOLVABLE, vec!["no node has it".to_string()]));
    let wrong = of("wrong").unwrap_err();
    assert_eq!(wrong, "plugin spread: pre_filter returned a status that is not its to return: 4");
}

#[test]
fn args_are_read_completed_and_refused() {
    let plugin = PluginUnderTest::new(berth_entry_v1, "spread");
    assert_eq!(plugin.complete(Json::Null).unwrap(), r#"{"key":"zone"}"#);
    let many = Json::object([
        ("key", "a\"b\n".into()),
        ("list", Json::Array(vec![1.into(), true.into(), Json::Null, Json::Number(0.5)])),
        ("none", Json::object([])),
        ("empty", Json::Array(vec![])),
    ]);
    let json = "{\"key\":\"a\\\"b\\u000a\",\"list\":[1,true,null,0.5],\"none\":{},\"empty\":[]}";
    assert_eq!(plugin.complete(many).unwrap(), json);
    let wrong = plugin.complete(Json::object([("key", 7.into())])).unwrap_err();
    assert_eq!(wrong, ["key: Invalid value: must be a string"]);
    for odd in [Json::from("text"), Json::Array(vec![])] {
        assert_eq!(plugin.complete(odd).unwrap_err(), [": Invalid value: args are an object"]);
    }
    let mut refused = PluginUnderTest::new(berth_entry_v1, "spread").args(Json::object([("key", "bad".into())]));
    assert_eq!(refused.start().unwrap_err(), "no key may be bad");
}

fn panicking(call: &str) -> PluginUnderTest {
    let mut plugin = PluginUnderTest::new(berth_entry_v1, "panics").args(Json::object([("in", call.into())]));
    plugin.add(FakeNode::new("a"));
    plugin
}

fn is_of(call: &str, text: &str) -> bool {
    text.starts_with(&format!("plugin panics: {call} panicked at ")) && text.ends_with(&format!(": {call} is broken"))
}

#[test]
fn a_panic_becomes_an_error_that_says_where() {
    for call in ["init", "activate"] {
        let error = panicking(call).start().unwrap_err();
        assert!(is_of(call, &error), "{error}");
    }
    let calls: [(&str, fn(&testing::Attempt) -> Option<String>); 7] = [
        ("pre_enqueue", |attempt| attempt.pre_enqueue().err()),
        ("pre_filter", |attempt| attempt.pre_filter().err()),
        ("filter", |attempt| attempt.filter().err()),
        ("pre_score", |attempt| attempt.pre_score().err()),
        ("score", |attempt| attempt.score().err()),
        ("reserve", |attempt| attempt.reserve("a").err()),
        ("permit", |attempt| attempt.permit("a").err()),
    ];
    for (call, ask) in calls {
        let mut plugin = panicking(call);
        plugin.start().unwrap();
        let attempt = plugin.attempt(FakePod::new("p"));
        let error = ask(&attempt).unwrap_or_else(|| panic!("{call} did not fail"));
        assert!(is_of(call, &error) && error.contains("tests/plugin.rs:"), "{error}");
        let again = ask(&attempt).unwrap(); // the instance is still there
        assert_eq!(again, error);
    }
}

#[test]
fn a_panic_without_a_status_is_told_and_logged() {
    let mut plugin = panicking("unreserve");
    plugin.start().unwrap();
    plugin.attempt(FakePod::new("p")).unreserve("a");
    assert!(is_of("unreserve", &plugin.faults()[0]), "{:?}", plugin.faults());
    assert_eq!(plugin.log(), plugin.faults());
    for call in ["deactivate", "drop"] {
        let mut plugin = panicking(call);
        plugin.start().unwrap();
        plugin.stop(); // the test process would end if it got out
        let faults = plugin.faults();
        assert!(faults.len() == 1 && is_of(call, &faults[0]), "{faults:?}");
        assert_eq!(plugin.log(), ["deactivates".to_string(), faults[0].clone()]);
    }
}

#[test]
fn odd_payloads_errors_and_statuses_become_texts() {
    let any = panicking("any").start().unwrap_err();
    assert!(any.ends_with(": something that is no text"), "{any}");
    let mut plugin = panicking("");
    plugin.start().unwrap();
    let attempt = plugin.attempt(FakePod::new("p"));
    assert_eq!(attempt.pre_enqueue().unwrap().code, BERTH_PENDING);
    assert_eq!(attempt.pre_score().unwrap().code, BERTH_SKIP);
    assert_eq!(attempt.filter().unwrap_err(), "filter answered Skip of a node");
    assert_eq!(attempt.score().unwrap_err(), "invalid digit found in string");
    let reserve = attempt.reserve("a").unwrap_err();
    assert_eq!(reserve, "plugin panics: reserve returned a status that is not its to return: 5");
    let args = plugin.complete(Json::Null).unwrap_err();
    assert!(args[0].contains("reading its args panicked at") && args[0].contains("in must be there"), "{args:?}");
}

#[test]
fn the_entry_describes_both() {
    let entry = unsafe { &*berth_entry_v1(0) };
    let describe = entry.describe.unwrap();
    let text = |raw| unsafe { std::ffi::CStr::from_ptr(raw).to_str().unwrap() };
    unsafe {
        assert_eq!(entry.count.unwrap()(), 2);
        let (first, second) = (&*describe(0), &*describe(1));
        assert_eq!((text(first.name), text(first.version), text(first.vendor)), ("spread", env!("CARGO_PKG_VERSION"), "example.org"));
        assert_eq!(text(first.args_schema), "{}");
        assert_eq!(text(second.name), "panics");
        assert!(second.args_schema.is_null() && describe(2).is_null());
        assert!(entry.create.unwrap()(b"nobody\0".as_ptr() as *const _, std::ptr::null()).is_null());
    }
}
