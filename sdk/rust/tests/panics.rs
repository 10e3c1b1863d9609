//! A panic in each of the points of every/mod.rs: an ERROR that says where, or a reason to the host and a line in the log,
//! and the plugin lives.
mod every;
use berth_plugin::constants::*;
use berth_plugin::testing::*;
use every::berth_entry_v1;
use std::time::Duration;

fn panicking(call: &str) -> PluginUnderTest {
    let mut plugin = PluginUnderTest::new(berth_entry_v1, "every").args(Json::object([("in", call.into())]));
    plugin.add(FakeNode::new("a").pod(FakePod::new("old")));
    plugin.start().unwrap();
    plugin
}

fn is_of(place: &str, call: &str, text: &str) -> bool {
    let begins = text.starts_with(&format!("plugin every: {place} panicked at ")) && text.contains("tests/every/mod.rs:");
    begins && text.ends_with(&format!(": {call} is broken"))
}

fn node_added() -> FakeEvent {
    FakeEvent { resource: "Node", actions: BERTH_ACTION_ADD, new_node: Some(FakeNode::new("n")), ..Default::default() }
}

#[test]
fn becomes_an_error_where_there_is_a_status() {
    type Ask = fn(&PluginUnderTest, &Attempt) -> Option<String>;
    let calls: [(&str, Ask); 11] = [
        ("filter_rows", |_, attempt| attempt.filter().err()),
        ("post_filter", |_, attempt| attempt.post_filter(&Default::default(), BERTH_UNRESOLVABLE).err()),
        ("score_rows", |_, attempt| attempt.score().err()),
        ("normalize", |_, attempt| attempt.normalize(&[("a".to_string(), 1)].into_iter().collect()).err()),
        ("pre_flight", |_, attempt| attempt.pre_flight("a").err()),
        ("pre_bind", |_, attempt| attempt.pre_bind("a").err()),
        ("bind", |_, attempt| attempt.bind("a").err()),
        ("hints", |plugin, _| plugin.hints(&node_added(), &[FakePod::new("p")]).err()),
        ("add_pod", |_, attempt| attempt.trial().add_pod(&FakePod::new("q"), "a").err()),
        ("remove_pod", |_, attempt| attempt.trial().remove_pod(&FakePod::new("q"), "a").err()),
        ("load", |plugin, _| plugin.load("1.0.0", b"").err()),
    ];
    for (call, ask) in calls {
        let plugin = panicking(call);
        let attempt = plugin.attempt(FakePod::new("p"));
        attempt.pre_filter().unwrap();
        let error = ask(&plugin, &attempt).unwrap_or_else(|| panic!("{call} did not fail"));
        assert!(is_of(call, call, &error), "{error}");
        assert_eq!(ask(&plugin, &attempt).unwrap(), error); // the instance is still there
    }
}

#[test]
fn is_told_and_logged_where_there_is_none() {
    type Call = fn(&PluginUnderTest);
    let calls: [(&str, Call); 9] = [
        ("less", |plugin| {
            let one = FakeQueued::new(FakePod::new("p"));
            assert!(!plugin.less(&one, &one));
        }),
        ("post_bind", |plugin| plugin.attempt(FakePod::new("p")).post_bind("a")),
        ("deltas", |plugin| plugin.deltas(&[FakeDelta::NodeAdded(1, FakeNode::new("n"))])),
        ("dump", |plugin| assert_eq!(plugin.dump(), "")),
        ("object_changed", |plugin| plugin.put_object("storage.k8s.io", "v1", "storageclasses", FakeObject::new("fast"))),
        ("save", |plugin| assert!(plugin.save().is_empty())),
        ("describe", |plugin| assert!(plugin.describe(&FakePod::new("p"), "a").is_empty())),
        ("adopt", |plugin| plugin.adopt(&FakePod::new("p"), "a", b"")),
        ("settle", |plugin| plugin.settle(&FakePod::new("p"), false)),
    ];
    for (call, make) in calls {
        let plugin = panicking(call);
        make(&plugin);
        assert!(is_of(call, call, &plugin.faults()[0]), "{:?}", plugin.faults());
        assert_eq!(plugin.log(), plugin.faults());
        let told = plugin.faults().len();
        make(&plugin);
        assert!(plugin.faults().len() > told && plugin.log() == plugin.faults(), "{call}");
        // It is no reason of the calls that follow.
        let (outcome, _) = plugin.attempt(FakePod::new("p")).pre_filter().unwrap();
        assert!(outcome.reasons.is_empty(), "{outcome:?}");
    }
}

#[test]
fn in_prepare_refuses_the_successor() {
    let old = panicking("prepare");
    for _ in 0..2 {
        let error = PluginUnderTest::new(berth_entry_v1, "every").start_from(&old).unwrap_err();
        assert!(is_of("prepare", "prepare", &error), "{error}");
        assert!(old.faults().is_empty() && old.attempt(FakePod::new("p")).pre_flight("a").unwrap().ok());
    }
}

#[test]
fn in_commit_is_told_by_the_successor() {
    let old = panicking("");
    let mut new = PluginUnderTest::new(berth_entry_v1, "every").args(Json::object([("in", "commit".into())]));
    new.start_from(&old).unwrap();
    new.commit(&old);
    assert!(new.faults().len() == 1 && is_of("commit", "commit", &new.faults()[0]), "{:?}", new.faults());
    assert!(new.log() == new.faults() && old.faults().is_empty());
}

#[test]
fn in_interests_registers_everything() {
    let plugin = panicking("interests");
    assert_eq!(plugin.interests(), [("*".to_string(), BERTH_ACTION_ALL, false)]);
    assert!(is_of("interests", "interests", &plugin.faults()[0]), "{:?}", plugin.faults());
    assert_eq!(plugin.log(), plugin.faults());
}

#[test]
fn in_a_copy_fails_the_trial() {
    let plugin = panicking("clone");
    let attempt = plugin.attempt(FakePod::new("p"));
    attempt.pre_filter().unwrap();
    let trial = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(attempt.trial()))); // cycle_clone: NULL
    assert!(trial.is_err());
    let why = &plugin.faults()[0];
    assert!(is_of("copying what it kept on a cycle", "clone", why) && plugin.log()[0] == *why, "{why}");
}

#[test]
fn in_a_drop_of_what_is_kept_is_none_of_the_call_around_it() {
    let plugin = panicking("free");
    let attempt = plugin.attempt(FakePod::new("p"));
    let first = attempt.pre_filter();
    let second = attempt.pre_filter(); // takes the place of what is there
    let told = plugin.faults();
    drop(attempt); // before anything is asserted: what panics while a panic unwinds ends the process
    for (outcome, _) in [first, second].map(Result::unwrap) {
        assert!(outcome.ok() && outcome.reasons.is_empty(), "{outcome:?}");
    }
    assert!(told.len() == 1 && plugin.faults().len() == 2, "{told:?}");
    for why in plugin.faults() {
        assert!(is_of("dropping what it kept on a cycle", "free", &why), "{why}");
    }
}

#[test]
fn in_a_task_or_a_callback_does_not_reach_the_host() {
    let plugin = panicking("task");
    plugin.attempt(FakePod::new("p")).post_bind("a");
    plugin.advance(Duration::from_secs(3));
    let line = &plugin.log()[0];
    assert!(line.contains(": a task panicked at ") && line.ends_with(": task is broken"), "{line}");
    assert_eq!(plugin.faults(), plugin.log());

    let plugin = panicking("each_waiting");
    plugin.add_waiting(&FakePod::new("good"));
    let error = plugin.attempt(FakePod::new("p")).permit("a").unwrap_err();
    assert!(is_of("permit", "each_waiting", &error), "{error}");
}

#[test]
fn with_an_op_that_is_kept_leaves_the_call_open() {
    let plugin = panicking("");
    let call = plugin.attempt(FakePod::new("broken")).start_pre_bind("a");
    assert!(call.outcome().is_none());
    drop(plugin);
    assert!(call.outcome().unwrap().is_err());
}
