// Both ends of the canary in this program: the hidden command of the child process, and the options with which the
// running scheduler starts it.
#pragma once

#include "config/options/options.h"
#include "reload/coordinator/coordinator.h"
#include "scheduler/engine/engine.h"

namespace berth {

// `berth-scheduler canary <the scheduler's own arguments>`: the exit code, or -1 for any other command line.
// Call it first in main, before any thread exists.
int RunCanaryIfAsked(int argc, char** argv);

// A child process tries each candidate first; this process maps a library only after the child has survived it. engine
// outlives the coordinator.
// configuration: the active one; the candidate must not read the credentials that it names.
void AddCanary(reload::CoordinatorOptions& to, const options::SchedulerOptions& options,
               const config::Configuration& configuration, engine::Engine& engine);

}  // namespace berth
