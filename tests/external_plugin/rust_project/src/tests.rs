//! Tests of the policy on the fake host.
use super::berth_entry_v1;
use berth_plugin::constants::*;
use berth_plugin::testing::*;
use std::time::Duration;

fn plugin() -> PluginUnderTest {
    let mut plugin = PluginUnderTest::new(berth_entry_v1, "everyPoint").args(Json::object([("most", 2.into())]));
    let web = |name: &str| FakePod::new(name).label("app", "web");
    plugin.add(FakeNode::new("full").pod(web("w1")).pod(web("w2")));
    plugin.add(FakeNode::new("free").pod(web("w3")));
    plugin
}

#[test]
fn a_node_has_at_most_two_of_an_app() {
    let mut plugin = plugin();
    plugin.start().unwrap();
    let attempt = plugin.attempt(FakePod::new("p").label("app", "web"));
    attempt.pre_filter().unwrap();
    let said = attempt.filter().unwrap();
    assert_eq!(said["full"].reasons, ["node(s) had enough of the app"]);
    assert!(said["free"].ok());
    let trial = attempt.trial();
    trial.remove_pod(&FakePod::new("w1").label("app", "web"), "full").unwrap();
    trial.add_pod(&FakePod::new("w4").label("app", "web"), "free").unwrap();
    let said = trial.filter().unwrap();
    assert!(said["full"].ok() && !said["free"].ok());
    assert!(attempt.filter().unwrap()["free"].ok());
}

#[test]
fn a_pair_waits_and_is_bound_later() {
    let mut plugin = plugin();
    plugin.start().unwrap();
    let half = |name: &str| FakePod::new(name).label("example.org/pair", "x");
    assert_eq!(plugin.attempt(half("one")).permit("free").unwrap().code, BERTH_WAIT);
    plugin.add_waiting(&half("one"));
    let attempt = plugin.attempt(half("two"));
    assert!(attempt.permit("free").unwrap().ok());
    assert_eq!(plugin.decided(), [("one".to_string(), None)]);
    let started = attempt.start_pre_bind("free");
    plugin.advance(Duration::from_millis(999));
    assert!(started.outcome().is_none());
    plugin.advance(Duration::from_millis(1));
    assert!(started.outcome().unwrap().unwrap().ok());
    assert!(attempt.bind("free").unwrap().ok());
}

#[test]
fn the_least_important_pod_goes_where_that_helps() {
    let mut plugin = plugin();
    let low = FakePod::new("low").label("app", "web").priority(-1);
    plugin.add(FakeNode::new("mixed").pod(low).pod(FakePod::new("w5").label("app", "web").priority(9)));
    plugin.start().unwrap();
    let attempt = plugin.attempt(FakePod::new("p").label("app", "web").priority(5));
    attempt.pre_filter().unwrap();
    let said = [("full", BERTH_UNRESOLVABLE), ("mixed", BERTH_UNSCHEDULABLE)];
    let said = said.map(|(node, code)| (node.to_string(), code)).into_iter().collect();
    let (done, nominated) = attempt.post_filter(&said, BERTH_UNRESOLVABLE).unwrap();
    assert!(done.ok() && nominated == Nominated::To("mixed".into()));
    let gone = &plugin.requests()[0];
    assert_eq!((&gone.verb[..], &gone.namespace[..], &gone.name[..]), ("DELETE", "default", "low"));
    plugin.reply(403, "", "Forbidden", "not yours");
    assert!(plugin.log().contains(&r#"A pod could not be evicted why="not yours""#.to_string()), "{:?}", plugin.log());
    assert_eq!(attempt.filter().unwrap()["mixed"].code, BERTH_UNSCHEDULABLE); // unchanged by the trial
}

#[test]
fn large_zones_and_few_pods_are_better() {
    let mut plugin = PluginUnderTest::new(berth_entry_v1, "everyPoint");
    let in_zone = |name, zone| FakeNode::new(name).label("topology.kubernetes.io/zone", zone);
    plugin.add(in_zone("a", "big")).add(in_zone("b", "big").pod(FakePod::new("one"))).add(in_zone("c", "small"));
    plugin.add(FakeNode::new("d"));
    plugin.start().unwrap();
    let attempt = plugin.attempt(FakePod::new("p"));
    attempt.pre_score().unwrap();
    let raw = attempt.score().unwrap();
    assert_eq!(raw.values().copied().collect::<Vec<_>>(), [20, 19, 10, 0]);
    assert_eq!(attempt.normalize(&raw).unwrap()["c"], 50);
}

#[test]
fn other_args_follow_with_the_same_bookings() {
    let mut old = plugin();
    old.start().unwrap();
    old.attempt(FakePod::new("p")).reserve("free").unwrap();
    old.deltas(&[FakeDelta::PodAdded(1, FakePod::new("w3"))]);

    let one = || PluginUnderTest::new(berth_entry_v1, "everyPoint").args(Json::object([("most", 1.into())]));
    let mut given_up = one();
    given_up.start_from(&old).unwrap();
    drop(given_up);
    let mut new = one();
    new.add(FakeNode::new("free").pod(FakePod::new("w3").label("app", "web")));
    new.start_from(&old).unwrap();
    assert_eq!((new.dump(), new.save()), ("{}".to_string(), old.save())); // the host sends the rows again
    new.commit(&old);
    let line = r#"everyPoint follows itself most="1" before="2" open="1""#;
    assert!(new.log().contains(&line.to_string()), "{:?}", new.log());
    new.attempt(FakePod::new("q")).reserve("free").unwrap();
    old.attempt(FakePod::new("p")).post_bind("free"); // the attempt that this instance began
    drop(old);
    assert_eq!(new.save(), b"q free\n");
    let attempt = new.attempt(FakePod::new("r").label("app", "web"));
    attempt.pre_filter().unwrap();
    assert!(!attempt.filter().unwrap()["free"].ok());
    let refused = PluginUnderTest::new(berth_entry_v1, "everyPoint").args(Json::object([("most", 0.into())])).start_from(&new);
    assert!(refused.unwrap_err().contains("must be above 0"));
}

#[test]
fn bookings_and_rows_are_kept_and_handed_over() {
    let (mut old, mut new) = (plugin(), plugin());
    old.start().unwrap();
    new.start().unwrap();
    old.attempt(FakePod::new("p")).reserve("free").unwrap();
    assert_eq!(old.save(), b"p free\n");
    assert!(new.load("1.2.3", &old.save()).unwrap().ok() && new.save() == old.save());
    assert!(new.load("1.2.3", b"nonsense").is_err() && new.load("9", b"").unwrap().code == BERTH_SKIP);
    old.attempt(FakePod::new("p")).unreserve("free");
    assert!(old.save().is_empty());
    let pod = FakePod::new("q");
    old.deltas(&[FakeDelta::PodAdded(3, pod.clone()), FakeDelta::PodAdded(4, pod.clone()), FakeDelta::PodRemoved(3, pod)]);
    assert_eq!(old.dump(), "{4: 1}");
}
