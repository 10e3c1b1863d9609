//! templatePlugin: allows only nodes that have a label, and prefers nodes with the largest free share of a resource.
mod logic;

use berth_plugin::constants::*;
use berth_plugin::{
    json_string, ArgsErrors, CheckedArgs, Cycle, Error, Events, Filter, Host, Id, Interest, Kind, Node, Plugin, Pod,
    Reuse, Score, Status, Value,
};

struct Args {
    label: String,    // the label key that a node must have; "": any node
    resource: String, // the resource that Score uses
}

impl Args {
    fn read(args: Value) -> Result<Args, ArgsErrors> {
        let mut wrong = ArgsErrors::new();
        for (key, value) in args.members() {
            if key != "label" && key != "resource" {
                wrong.push((key.into(), format!("unknown field \"{key}\"")));
            } else if value.kind() != Kind::String {
                wrong.push((key.into(), "Invalid value: must be a string".into()));
            }
        }
        let text = |key, default: &str| args.get(key).as_str().unwrap_or(default).to_string();
        let read = Args { label: text("label", ""), resource: text("resource", "cpu") };
        if read.resource.is_empty() {
            wrong.push(("resource".into(), "Required value: can not be empty".into()));
        }
        if wrong.is_empty() { Ok(read) } else { Err(wrong) }
    }
}

struct TemplatePlugin {
    label: Id,
    resource: Id,
}

impl Plugin for TemplatePlugin {
    const NAME: &'static str = "templatePlugin";
    const VENDOR: &'static str = "example.org";

    fn new(host: &Host) -> Result<Self, Error> {
        let args = Args::read(host.args()).map_err(|wrong| Error::new(format!("args: {wrong:?}")))?;
        let label = if args.label.is_empty() { Id::ABSENT } else { host.intern(&args.label) };
        Ok(TemplatePlugin { label, resource: host.intern(&args.resource) })
    }
}

impl CheckedArgs for TemplatePlugin {
    fn complete(args: Value) -> Result<String, ArgsErrors> {
        let args = Args::read(args)?;
        Ok(format!(r#"{{"label":{},"resource":{}}}"#, json_string(&args.label), json_string(&args.resource)))
    }
}

impl Filter for TemplatePlugin {
    // What the verdict depends on besides the args. The host reuses verdicts that depend on nothing that changed.
    const REUSE: Reuse = Reuse::new().rows(BERTH_ROW_LABELS).total();

    fn filter(&self, _cycle: &Cycle, _pod: &Pod, node: &Node) -> Result<Status, Error> {
        if self.label == Id::ABSENT || node.labels().has(self.label) {
            return Ok(Status::Success);
        }
        Ok(Status::Unresolvable("node(s) didn't have the label that templatePlugin asks for".into()))
    }
}

impl Score for TemplatePlugin {
    const REUSE: Reuse = Reuse::new().rows(BERTH_ROW_ALLOCATABLE | BERTH_ROW_REQUESTED).total();

    fn score(&self, _cycle: &Cycle, _pod: &Pod, node: &Node) -> Result<i64, Error> {
        Ok(logic::free_percent(node.allocatable(self.resource), node.requested(self.resource)))
    }
}

impl Events for TemplatePlugin {
    // The events that may help a pod that Filter rejected.
    const INTERESTS: &'static [Interest] =
        &[Interest { resource: "Node", actions: BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL }];
}

berth_plugin::library!(TemplatePlugin: args, filter, score, events);

#[cfg(test)]
mod tests {
    use super::berth_entry_v1;
    use berth_plugin::constants::BERTH_UNRESOLVABLE;
    use berth_plugin::testing::{FakeNode, FakePod, Json, PluginUnderTest};

    fn plugin(args: Json) -> PluginUnderTest {
        let mut plugin = PluginUnderTest::new(berth_entry_v1, "templatePlugin").args(args);
        let old = FakePod::new("old").request("cpu", 1000);
        plugin.add(FakeNode::new("plain").allocatable("cpu", 4000).pod(old));
        plugin.add(FakeNode::new("labelled").allocatable("cpu", 2000).label("pool", "a"));
        plugin.start().unwrap();
        plugin
    }

    #[test]
    fn without_a_label_every_node_passes() {
        let plugin = plugin(Json::Null);
        let filtered = plugin.attempt(FakePod::new("p")).filter().unwrap();
        assert!(filtered["plain"].ok() && filtered["labelled"].ok());
    }

    #[test]
    fn nodes_without_the_label_are_rejected() {
        let plugin = plugin(Json::object([("label", "pool".into())]));
        let filtered = plugin.attempt(FakePod::new("p")).filter().unwrap();
        assert_eq!(filtered["plain"].code, BERTH_UNRESOLVABLE);
        assert_eq!(filtered["plain"].reasons, ["node(s) didn't have the label that templatePlugin asks for"]);
        assert!(filtered["labelled"].ok());
    }

    #[test]
    fn score_is_the_free_percentage() {
        let plugin = plugin(Json::Null);
        let scores = plugin.attempt(FakePod::new("p")).score().unwrap();
        assert_eq!((scores["plain"], scores["labelled"]), (75, 100));
    }

    #[test]
    fn args_are_completed_and_checked() {
        let plugin = PluginUnderTest::new(berth_entry_v1, "templatePlugin");
        assert_eq!(plugin.complete(Json::Null).unwrap(), r#"{"label":"","resource":"cpu"}"#);
        let misspelled = plugin.complete(Json::object([("lable", "pool".into())])).unwrap_err();
        assert_eq!(misspelled, ["lable: unknown field \"lable\""]);
        let empty = plugin.complete(Json::object([("resource", "".into())])).unwrap_err();
        assert_eq!(empty, ["resource: Required value: can not be empty"]);
    }
}
