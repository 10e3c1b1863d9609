// All flags of berth-scheduler, one row each, in kube-scheduler's groups. Thread: main, at start.
#pragma once

#include <map>
#include <string>

#include "config/flags/command.h"
#include "config/options/options.h"

namespace berth::options {

// Flags that Berth accepts and does not implement, with the value at which they have no effect ("" = none).
using UnservedFlags = std::map<std::string, std::string>;

// The flags write to options, which must outlive command.
void AddFlags(flags::Command& command, SchedulerOptions& options, UnservedFlags& unserved);

// Groups that other programs have as well.
void AddServingFlags(flags::Command& command, Serving& serving, UnservedFlags& unserved);
void AddAccessFlags(flags::Command& command, Authentication& authentication, Authorization& authorization,
                    UnservedFlags& unserved);
// what: only the leader does: "schedule".
void AddLeaderElectionFlags(flags::Command& command, config::LeaderElection& election, const std::string& what);
void AddMetricFlags(flags::Command& command, Metrics& metrics);
void AddLoggingFlags(flags::Command& command, Logging& logging);

}  // namespace berth::options
