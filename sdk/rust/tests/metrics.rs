//! Metrics of a plugin: each kind, families of kube-scheduler, and mistakes.
use berth_plugin::constants::*;
use berth_plugin::services::{Counter, Gauge, Histogram, MetricFamily};
use berth_plugin::testing::{FakeNode, FakePod, Json, PluginUnderTest};
use berth_plugin::*;

struct Measured {
    pods: Counter,
    rejected: MetricFamily<Counter>,
    open: Gauge,
    sizes: Histogram,
}

impl Plugin for Measured {
    const NAME: &'static str = "measured";
    const VENDOR: &'static str = "example.org";
    const USES: &'static [&'static str] = &[BERTH_SERVICE_METRICS];
    fn new(host: &Host) -> Result<Self, Error> {
        host.kube_histograms(BERTH_KUBE_PREEMPTION_VICTIMS).at(&[]).observe(2.0);
        host.kube_counters(BERTH_KUBE_VOLUME_STAGE_ERRORS).at(&["bind"]).add(1.0);
        host.kube_counters("scheduler_other").at(&["bind"]).add(1.0);
        let name = host.args().get("name").as_str().unwrap_or("pods_total");
        Ok(Measured {
            pods: host.counter(name, "Pods that were looked at."),
            rejected: host.counters_by("rejected_total", "Nodes that did not fit.", &["reason"]),
            open: host.gauge("open", "Pods under way."),
            sizes: host.histogram("sizes", "Nodes of a pod.", &[1.0, 2.0]),
        })
    }
}
impl Filter for Measured {
    fn filter(&self, _: &Cycle, _: &Pod, _: &Node) -> Result<Status, Error> {
        self.pods.add(1.0);
        self.rejected.at(&["full"]).add(2.0);
        self.open.set(5.0);
        self.open.add(-1.0);
        self.sizes.observe(1.5);
        Ok(Status::Success)
    }
}

library!(Measured: filter);

fn plugin(args: Json) -> PluginUnderTest {
    let mut plugin = PluginUnderTest::new(berth_entry_v1, "measured").args(args);
    plugin.add(FakeNode::new("a"));
    plugin.start().unwrap();
    plugin.attempt(FakePod::new("p")).filter().unwrap();
    plugin
}

#[test]
fn each_kind_is_recorded() {
    let plugin = plugin(Json::object([]));
    let calls = plugin.metrics().iter().find(|line| line.starts_with("pods_total ")).unwrap()[11..].parse::<u32>().unwrap();
    let wanted = [
        "open 4".into(), format!("pods_total {calls}"), format!("rejected_total{{reason=\"full\"}} {}", 2 * calls),
        "scheduler_preemption_victims 1".into(), "scheduler_volume_scheduling_stage_error_total{operation=\"bind\"} 1".into(),
        format!("sizes {calls}"),
    ];
    assert!(calls > 0);
    assert_eq!(plugin.metrics(), wanted);
}

#[test]
fn a_mistake_leaves_a_metric_that_records_nothing() {
    let plugin = plugin(Json::object([("name", "pods-total".into())]));
    assert!(plugin.metrics().iter().all(|line| !line.starts_with("pods")));
    let told = "metric \"pods-total\": name: \"pods-total\" must consist of letters, digits, and _, without a digit first";
    assert_eq!(plugin.violations(), [told]);
}
