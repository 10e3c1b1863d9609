//! The points beyond those of plugin.rs, as a host calls them; panics.rs breaks each of them.
mod every;
use berth_plugin::constants::*;
use berth_plugin::testing::*;
use every::berth_entry_v1;
use std::time::Duration;

fn started() -> PluginUnderTest {
    let mut plugin = PluginUnderTest::new(berth_entry_v1, "every").seed(42);
    for (name, pods) in [("a", 1), ("b", 2), ("c", 3), ("d", 4)] {
        plugin.add((0..pods).fold(FakeNode::new(name), |node, i| node.pod(FakePod::new(&format!("{name}{i}")))));
    }
    plugin.start().unwrap();
    plugin
}

#[test]
fn the_queue_is_sorted() {
    let plugin = started();
    let (low, high) = (FakePod::new("low"), FakePod::new("high").priority(5));
    let of = |pod: &FakePod, queued| FakeQueued { queued, ..FakeQueued::new(pod.clone()) };
    assert!(plugin.less(&of(&high, 9), &of(&low, 1)) && !plugin.less(&of(&low, 1), &of(&high, 9)));
    assert!(plugin.less(&of(&low, 1), &of(&low, 2)) && !plugin.less(&of(&low, 2), &of(&low, 2)));
    let earlier = FakeQueued { initial_attempt: Some(0), attempts: 3, ..of(&low, 9) };
    assert!(plugin.less(&earlier, &of(&low, 1)));
}

#[test]
fn many_rows_are_judged_and_scored_at_once() {
    let plugin = started();
    let attempt = plugin.attempt(FakePod::new("p"));
    let verdicts = attempt.filter().unwrap();
    let codes: Vec<i32> = verdicts.values().map(|one| one.code).collect();
    assert_eq!(codes, [BERTH_SUCCESS, BERTH_UNSCHEDULABLE, BERTH_UNRESOLVABLE, BERTH_PENDING]);
    assert_eq!(verdicts["b"].reasons, ["node(s) were full", "of pods"]);
    let scores = attempt.score().unwrap();
    assert_eq!(scores.values().copied().collect::<Vec<_>>(), [1, 3, 4, 5]); // there is no node in row 1
    assert_eq!(attempt.normalize(&scores).unwrap()["d"], 50);
    let uniform = plugin.attempt(FakePod::new("any")).score().unwrap();
    assert_eq!(uniform.values().copied().collect::<Vec<_>>(), [42; 4]);
}

#[test]
fn post_filter_nominates_clears_and_rejects() {
    let plugin = started();
    let of = |name, said: &[(&str, i32)]| {
        let said = said.iter().map(|(node, code)| (node.to_string(), *code)).collect();
        plugin.attempt(FakePod::new(name)).post_filter(&said, BERTH_UNRESOLVABLE).unwrap()
    };
    let (done, where_to) = of("p", &[("c", BERTH_UNSCHEDULABLE), ("a", BERTH_UNRESOLVABLE)]);
    assert!(done.ok() && where_to == Nominated::To("c".into()));
    let (rejected, where_to) = of("nominated", &[]);
    assert_eq!((rejected.code, where_to), (BERTH_UNSCHEDULABLE, Nominated::Nowhere));
    let (hopeless, where_to) = of("p", &[]);
    assert_eq!((hopeless.code, where_to), (BERTH_UNRESOLVABLE, Nominated::AsBefore));
    assert_eq!(hopeless.reasons, ["no", "never"]);
}

#[test]
fn a_call_ends_now_or_later() {
    let plugin = started();
    let of = |name| plugin.attempt(FakePod::new(name)).pre_bind("a");
    assert_eq!(of("now").unwrap().reasons, ["no disk"]);
    assert!(of("thread").unwrap().ok());
    assert_eq!(of("failed").unwrap_err(), "disk is gone");
    assert_eq!(of("dropped").unwrap_err(), "the plugin dropped the operation without an outcome");
    let start = |name| plugin.attempt(FakePod::new(name)).start_pre_bind("a");
    let (kept, broken) = (start("kept"), start("broken"));
    assert!(kept.outcome().is_none() && broken.outcome().is_none());
    drop(plugin); // deactivate drops them
    for started in [kept, broken] {
        assert!(started.outcome().unwrap().unwrap_err().ends_with("without an outcome"));
    }
}

#[test]
fn a_reply_ends_a_call() {
    let plugin = started();
    let attempt = plugin.attempt(FakePod::new("api"));
    let (first, second) = (attempt.start_pre_bind("a"), attempt.start_pre_bind("a"));
    let sent = &plugin.requests()[0];
    assert_eq!((&sent.verb[..], &sent.version[..], &sent.resource[..], &sent.name[..]), ("GET", "v1", "nodes", "a"));
    assert!(plugin.reply(200, "{}", "", ""));
    assert!(first.outcome().unwrap().unwrap().ok() && second.outcome().is_none());
    assert!(plugin.reply(404, "", "NotFound", "no such node"));
    assert_eq!(second.outcome().unwrap().unwrap().reasons, ["no such node"]);
    assert!(!plugin.reply(200, "", "", ""));
    let third = attempt.start_pre_bind("a");
    drop(attempt);
    drop(plugin); // answers with code 0
    assert_eq!(third.outcome().unwrap().unwrap().reasons, ["the plugin's instance has ended"]);
}

#[test]
fn binding_skips_binds_and_tells() {
    let plugin = started();
    let of = |name| plugin.attempt(FakePod::new(name));
    assert_eq!(of("nothing").pre_flight("a").unwrap().code, BERTH_SKIP);
    assert!(of("p").pre_flight("a").unwrap().ok());
    assert_eq!(of("p").bind("a").unwrap().code, BERTH_SKIP);
    assert!(plugin.bound().is_empty());
    assert!(of("mine").bind("b").unwrap().ok());
    assert_eq!(plugin.bound(), [("mine".to_string(), "b".to_string())]);
    assert_eq!(of("wrong").bind("a").unwrap_err(), "plugin every: bind returned a status that is not its to return: 4");
    let attempt = of("mine");
    attempt.cancel();
    attempt.post_bind("b");
    assert_eq!(plugin.events(), ["Normal Bound Binding default/mine -: cancelled"]);
    plugin.advance(Duration::from_secs(2));
    assert!(plugin.activated().is_empty());
    plugin.advance(Duration::from_secs(1));
    assert_eq!(plugin.activated(), ["mine"]);
    attempt.post_bind("b"); // its task never runs, and is dropped
}

#[test]
fn waiting_pods_are_let_go_or_rejected() {
    let plugin = started();
    assert_eq!(plugin.attempt(FakePod::new("p")).permit("a").unwrap().wait_ns, 1_000_000_000);
    plugin.add_waiting(&FakePod::new("good"));
    plugin.add_waiting(&FakePod::new("other"));
    assert!(plugin.attempt(FakePod::new("p")).permit("a").unwrap().ok());
    assert_eq!(plugin.decided(), [("good".to_string(), None), ("other".to_string(), Some("bad".to_string()))]);
}

#[test]
fn hints_are_asked_where_they_were_registered() {
    let plugin = started();
    let node = ("Node".to_string(), BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL, true);
    let class = ("storage.k8s.io/StorageClass".to_string(), BERTH_ACTION_ADD, false);
    assert_eq!(plugin.interests(), [node.clone(), class.clone()]);
    assert_eq!(plugin.interests(), [node, class]); // the same list
    let came = Some(FakeNode::new("e").label("q", ""));
    let event = FakeEvent { resource: "Node", actions: BERTH_ACTION_ADD, new_node: came, ..Default::default() };
    assert_eq!(plugin.hints(&event, &[FakePod::new("p"), FakePod::new("q")]).unwrap(), [false, true]);
    assert_eq!(plugin.hints(&event, &[]).unwrap(), []);
    let nothing = FakeEvent { resource: "Node", ..Default::default() };
    assert_eq!(plugin.hints(&nothing, &[FakePod::new("p")]).unwrap_err(), "an event about no node");
}

#[test]
fn changes_of_rows_are_told_in_order() {
    let plugin = started();
    let (node, pod) = (FakeNode::new("n"), FakePod::new("p"));
    plugin.deltas(&[FakeDelta::NodeAdded(4, node.clone()), FakeDelta::PodAdded(4, pod.clone())]);
    plugin.deltas(&[FakeDelta::NodeChanged(4, node.clone()), FakeDelta::PodRemoved(4, pod), FakeDelta::NodeRemoved(4, node)]);
    assert_eq!(plugin.dump(), "+4 n, +4 pod p, ~4 n, -4 pod p, -4 n");
}

#[test]
fn objects_are_read_and_their_changes_told() {
    let mut plugin = PluginUnderTest::new(berth_entry_v1, "every");
    plugin.add(FakeNode::new("a"));
    let class = |by: &str| FakeObject::new("fast").value(Json::object([("provisioner", by.into())]));
    plugin.put_object("storage.k8s.io", "v1", "storageclasses", class("x"));
    plugin.put_object("", "v1", "services", FakeObject::new("web").namespace("default")); // nobody needs it
    plugin.start().unwrap();
    assert_eq!(plugin.dump(), r#"None -> Some("x")"#);
    let version = || {
        assert!(plugin.attempt(FakePod::new("p")).pre_score().unwrap().ok());
        plugin.log().pop()
    };
    let before = version();
    plugin.put_object("storage.k8s.io", "v1", "storageclasses", class("y"));
    assert_ne!(version(), before);
    plugin.delete_object("storage.k8s.io", "v1", "storageclasses", "", "fast");
    assert_eq!(plugin.dump(), r#"None -> Some("x"), Some("x") -> Some("y"), Some("y") -> None"#);
    assert_eq!(plugin.attempt(FakePod::new("p")).pre_score().unwrap_err(), "there is no class");
}

#[test]
fn trials_change_copies() {
    let plugin = started();
    let attempt = plugin.attempt(FakePod::new("p"));
    attempt.pre_filter().unwrap();
    let more = FakePod::new("more");
    for _ in 0..2 {
        let trial = attempt.trial();
        assert!(trial.add_pod(&more, "a").unwrap().ok() && trial.add_pod(&more, "a").unwrap().ok());
        assert_eq!(trial.add_pod(&more, "b").unwrap_err(), "more is pod 4 of b");
        assert!(trial.remove_pod(&more, "b").unwrap().ok());
    }
    let empty = plugin.attempt(FakePod::new("q"));
    assert_eq!(empty.trial().add_pod(&more, "a").unwrap_err(), "nothing is kept");
}

#[test]
fn state_is_handed_over() {
    let (old, new) = (started(), started());
    let state = old.save();
    assert!(new.load("1.0.0", &state).unwrap().ok());
    assert_eq!(new.load("0.9.0", &state).unwrap().code, BERTH_SKIP);
    assert_eq!(new.load("1.0.0", b"\xff\0").unwrap_err(), "this is no state");
    let pod = FakePod::new("p");
    let held = old.describe(&pod, "a");
    assert_eq!(held, b"p@a");
    new.adopt(&pod, "a", &held);
    new.settle(&pod, true);
    assert_eq!(new.dump(), "adopts p, settles p true");
}

fn successor(call: &str) -> PluginUnderTest {
    PluginUnderTest::new(berth_entry_v1, "every").args(Json::object([("in", call.into())]))
}

#[test]
fn a_successor_shares_state_with_its_predecessor() {
    let old = started();
    old.deltas(&[FakeDelta::NodeAdded(4, FakeNode::new("n"))]);
    let mut new = successor("other");
    new.start_from(&old).unwrap();
    assert_eq!(new.dump(), "+4 n");
    new.commit(&old);
    old.settle(&FakePod::new("p"), true); // it serves its open attempts to their end
    assert_eq!(new.dump(), r#"+4 n, "other" follows "", settles p true"#);
    drop(old);
    let mut third = successor("");
    third.start_from(&new).unwrap();
    third.commit(&new);
    drop(new);
    assert_eq!(third.dump(), r#"+4 n, "other" follows "", settles p true, "" follows "other""#);
    assert!(third.attempt(FakePod::new("p")).pre_flight("a").unwrap().ok());
}

#[test]
fn a_successor_has_the_services_of_its_own_host() {
    let old = started();
    let mut new = successor("");
    new.add(FakeNode::new("a"));
    new.put_object("storage.k8s.io", "v1", "storageclasses", FakeObject::new("fast"));
    new.start_from(&old).unwrap();
    let classes = |of: &PluginUnderTest| of.attempt(FakePod::new("p")).pre_score();
    assert!(classes(&new).is_ok() && classes(&old).unwrap_err() == "there is no class");
    new.add_waiting(&FakePod::new("good"));
    assert!(new.attempt(FakePod::new("p")).permit("a").unwrap().ok());
    assert!(new.decided().len() == 1 && old.decided().is_empty());
}

#[test]
fn a_predecessor_may_refuse() {
    let old = started();
    let mut new = successor("refused");
    assert_eq!(new.start_from(&old).unwrap_err(), "nobody follows with these args");
    drop(new); // destroy without an instance
    assert!(old.attempt(FakePod::new("p")).pre_flight("a").unwrap().ok() && old.faults().is_empty());
}

#[test]
fn a_successor_may_be_let_go() {
    let old = started();
    let mut new = successor("");
    new.start_from(&old).unwrap();
    new.stop();
    assert!(new.faults().is_empty());
    old.deltas(&[FakeDelta::NodeAdded(4, FakeNode::new("n"))]);
    assert_eq!(old.dump(), "+4 n");
    let scores = old.attempt(FakePod::new("p")).score().unwrap();
    assert_eq!(scores.values().copied().collect::<Vec<_>>(), [1, 3, 4, 5]); // there is no node in row 1
}

#[test]
fn the_descriptor_has_flags() {
    let entry = unsafe { &*berth_entry_v1(0) };
    assert_eq!(unsafe { (*entry.describe.unwrap()(0)).flags }, BERTH_F_SERIAL_ONLY);
}
