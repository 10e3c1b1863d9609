// From options to running controllers, and to the exit code of their end. Source: kubernetes-sigs/scheduler-plugins
// cmd/controller/app/server.go. Thread: main.
#pragma once

#include "cluster/process/run_program.h"
#include "cmd/berth-controllers/controller_options.h"

namespace berth {

// 0: it ended as it was asked to. 1: it could not start.
int RunControllers(const ControllerOptions& options, const process::Start& start);

}  // namespace berth
