//! Rules of the ABI that the compiler does not enforce: the fake host finds who breaks them.
use berth_plugin::constants::*;
use berth_plugin::testing::{FakeNode, FakePod, Json, PluginUnderTest};
use berth_plugin::*;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Breaks the rule that its args name.
struct Rogue {
    rule: String,
    host: Host,
}

impl Plugin for Rogue {
    const NAME: &'static str = "rogue";
    const VENDOR: &'static str = "example.org";
    fn new(host: &Host) -> Result<Self, Error> {
        Ok(Rogue { rule: host.args().get("breaks").as_str().unwrap_or("").into(), host: host.clone() })
    }
}
impl Filter for Rogue {
    fn filter(&self, _: &Cycle, _: &Pod, _: &Node) -> Result<Status, Error> {
        if self.rule == "domain" {
            self.host.open_column(BERTH_NODE_LABEL, self.host.intern("zone"))?; // belongs to activate
        }
        Ok(Status::Success)
    }
}
impl ScoreRows for Rogue {
    const REUSE: Reuse = Reuse::new().total();
    fn score_rows(&self, _: &Cycle, _: &Pod, rows: &Rows, out: &mut [i64]) -> Result<Scored, Error> {
        for (place, _) in rows.iter() {
            out[place] = if self.rule == "dense" { place as i64 } else { 7 };
        }
        if self.rule == "out" {
            unsafe { *out.as_mut_ptr().add(out.len()) = 7 }
        }
        Ok(Scored::Each)
    }
}

library!(Rogue: filter, score_rows);

fn breaking(rule: &str) -> PluginUnderTest {
    let mut plugin = PluginUnderTest::new(berth_entry_v1, "rogue").args(Json::object([("breaks", rule.into())]));
    plugin.add(FakeNode::new("a")).add(FakeNode::new("b"));
    plugin.start().unwrap();
    let attempt = plugin.attempt(FakePod::new("p"));
    assert!(attempt.filter().unwrap()["b"].ok());
    attempt.score().unwrap();
    drop(attempt);
    plugin
}

#[test]
fn a_host_function_belongs_to_a_domain() {
    let told = breaking("domain").violations();
    assert_eq!(told, ["open_column() was called in Filter, where it must not be"; 2]); // once per node
}

#[test]
fn nobody_writes_outside_of_out() {
    assert_eq!(breaking("out").violations(), ["Score wrote outside of out", "Score wrote outside of out when asked densely"]);
}

#[test]
fn rows_are_scored_alike_however_they_are_asked() {
    assert_eq!(breaking("dense").violations(), ["Score scores b differently when asked densely"]);
}

#[test]
fn a_violation_that_nobody_looks_at_fails_the_test() {
    assert!(breaking("").violations().is_empty());
    let plugin = breaking("domain");
    let panic = catch_unwind(AssertUnwindSafe(|| drop(plugin))).unwrap_err();
    let text = panic.downcast_ref::<String>().unwrap();
    assert!(text.starts_with("the plugin breaks rules of the ABI:\n  open_column() was called in Filter"), "{text}");
}

#[test]
#[should_panic(expected = "attempt: the plugin is not active")]
fn a_mistake_of_the_test_panics() {
    PluginUnderTest::new(berth_entry_v1, "rogue").attempt(FakePod::new("p"));
}
