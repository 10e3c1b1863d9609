// All flags of the daemon, one row each, in kube-scheduler's groups. Thread: main, at start.
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
void AddServingFlags(flags::Command& command, SchedulerOptions& options, UnservedFlags& unserved);

}  // namespace berth::options
