// All flags of the daemon, one row each, in groups as kube-scheduler has them. Thread: main, at start.
#pragma once

#include <map>
#include <string>

#include "flags/command.h"
#include "options/options.h"

namespace berth::options {

// Flags that are accepted although Berth has not got what they ask for, with the value at which that makes no
// difference ("" = none).
using UnservedFlags = std::map<std::string, std::string>;

// The flags write to options, which must outlive command.
void AddFlags(flags::Command& command, SchedulerOptions& options, UnservedFlags& unserved);
void AddServingFlags(flags::Command& command, SchedulerOptions& options, UnservedFlags& unserved);

}  // namespace berth::options
