// The flags of leader election, metrics, and the log.
#include "config/options/flag_table.h"
#include "config/options/values.h"

namespace berth::options {

using flags::Bool;
using flags::Text;

void AddLeaderElectionFlags(flags::Command& command, config::LeaderElection& e, const std::string& what) {
  const std::string group = "Leader election flags";
  command.Add({"leader-elect", 0, Bool(e.leader_elect), what + " only while holding a Lease", group});
  command.Add({"leader-elect-lease-duration", 0, Duration(e.lease_duration),
               "how long others wait after they saw the Lease renewed before they take it", group});
  command.Add({"leader-elect-renew-deadline", 0, Duration(e.renew_deadline),
               "how long the leader tries to renew the Lease before it gives up", group});
  command.Add({"leader-elect-retry-period", 0, Duration(e.retry_period), "time between two tries", group});
  command.Add({"leader-elect-resource-lock", 0, Text(e.resource_lock), "kind of the lock: leases", group});
  command.Add({"leader-elect-resource-name", 0, Text(e.resource_name), "name of the Lease", group});
  command.Add({"leader-elect-resource-namespace", 0, Text(e.resource_namespace), "namespace of the Lease", group});
}

void AddMetricFlags(flags::Command& command, Metrics& m) {
  const std::string group = "Metrics flags";
  command.Add({"show-hidden-metrics-for-version", 0, Text(m.show_hidden_metrics_for_version),
               "version whose hidden metrics to show: 1.35; Berth hides none", group});
  command.Add({"disabled-metrics", 0, flags::List(m.disabled_metrics), "names of metrics to leave out", group});
  command.Add({"allow-metric-labels", 0, flags::Map(m.allow_metric_labels),
               "values that labels of metrics may have, METRIC,LABEL='VALUE,VALUE'; others become \"unexpected\"",
               group});
  command.Add({"allow-metric-labels-manifest", 0, Text(m.allow_metric_labels_manifest),
               "YAML file with the same: \"METRIC,LABEL\": \"VALUE,VALUE\"", group});
}

void AddLoggingFlags(flags::Command& command, Logging& l) {
  const std::string group = "Logs flags", alpha = "; needs the feature LoggingAlphaOptions";
  command.Add({"v", 'v', flags::Level(l.verbosity), "log lines up to this verbosity are written", group});
  command.Add({"vmodule", 0, VModule(l.vmodule), "verbosity per source file; occurrences add up", group});
  command.Add({"logging-format", 0, Text(l.format), "text or json", group});
  command.Add(
      {"log-flush-frequency", 0, Duration(l.flush_frequency), "longest time that a line may be held back", group});
  command.Add({"log-text-split-stream", 0, Bool(l.text_split_stream), "info lines to stdout" + alpha, group});
  command.Add({"log-text-info-buffer-size", 0, Quantity(l.text_info_buffer_size),
               "how much of the info lines may be held back" + alpha, group});
  command.Add({"log-json-split-stream", 0, Bool(l.json_split_stream), "info lines to stdout" + alpha, group});
  command.Add({"log-json-info-buffer-size", 0, Quantity(l.json_info_buffer_size),
               "how much of the info lines may be held back" + alpha, group});
}

}  // namespace berth::options
