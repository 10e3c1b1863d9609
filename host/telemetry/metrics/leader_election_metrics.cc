#include "telemetry/metrics/leader_election_metrics.h"

namespace berth::metrics {

LeaderElectionMetrics::LeaderElectionMetrics(Registry& registry, const std::string& name)
    : master_status_(registry.MakeGauge(
          {"leader_election_master_status",
           "[ALPHA] Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates "
           "master. 'name' is the string used to identify the lease. Please make sure to group by name."},
          {{"name", name}})),
      slowpath_(registry.MakeCounter(
          {"leader_election_slowpath_total",
           "[ALPHA] Total number of slow path exercised in renewing leader leases. 'name' is the string used to "
           "identify the lease. Please make sure to group by name."},
          {{"name", name}})) {}

}  // namespace berth::metrics
