// The options of the daemon, from flags, feature gates, and the configuration. Thread: main.
#pragma once

#include "cluster/daemon/daemon.h"
#include "cluster/election/fence.h"
#include "config/configuration/berth_configuration.h"
#include "config/configuration/configuration.h"
#include "config/configuration/feature_gates.h"
#include "config/options/options.h"

namespace berth {

struct DaemonInput {
  const options::SchedulerOptions& options;
  const config::FeatureGates& gates;
  const config::Configuration& configuration;
  const config::BerthConfiguration& berth;
};

// Observers are for the caller to add. With leader election the daemon schedules only as the leader, and sends nothing
// after its Lease: fence outlives it.
daemon::DaemonOptions DaemonOptionsOf(const DaemonInput& input, const election::FenceState& fence);

}  // namespace berth
