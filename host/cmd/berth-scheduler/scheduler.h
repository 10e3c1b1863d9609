// Runs a scheduler with the options of the command line, and returns the exit code. Source:
// cmd/kube-scheduler/app/server.go. Thread: main.
#pragma once

#include "cluster/process/run_program.h"
#include "config/configuration/feature_gates.h"
#include "config/options/options.h"

namespace berth {

// 0: it ended after a signal, or wrote its configuration. 1: it could not start, lost its Lease, or ended without
// leader election, as kube-scheduler does.
int RunScheduler(const options::SchedulerOptions& options, const config::FeatureGates& gates,
                 const process::Start& start);

}  // namespace berth
