// Both ends of the canary in this program: the hidden command that is the child, and what the running scheduler needs
// to start it.
#pragma once

#include "engine/engine.h"
#include "options/options.h"
#include "swap/coordinator.h"

namespace berth {

// `berth-scheduler canary <the scheduler's own arguments>`: the exit code, or -1 when that is not what was asked for.
// First thing in main, before there is any thread.
int RunCanaryIfAsked(int argc, char** argv);

// Candidates are tried by a child process first, and nothing is mapped that it has not survived. engine outlives the
// coordinator.
// configuration: in force, for the files that it names and the candidate is not to read.
void AddCanary(swap::CoordinatorOptions& to, const options::SchedulerOptions& options,
               const config::Configuration& configuration, engine::Engine& engine);

}  // namespace berth
