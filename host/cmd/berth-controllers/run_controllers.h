// Runs the controllers with the options of the command line, and returns the exit code. Source:
// kubernetes-sigs/scheduler-plugins cmd/controller/app/server.go. Thread: main.
#pragma once

#include "cluster/process/run_program.h"
#include "cmd/berth-controllers/controller_options.h"

namespace berth {

// 0: it ended after a signal. 1: it could not start.
int RunControllers(const ControllerOptions& options, const process::Start& start);

}  // namespace berth
