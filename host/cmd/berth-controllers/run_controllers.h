// From options to running controllers, and to the exit code of their end. Source: kubernetes-sigs/scheduler-plugins
// cmd/controller/app/server.go. Thread: main.
#pragma once

#include <string>

#include "cluster/process/shutdown_signals.h"
#include "cmd/berth-controllers/controller_options.h"

namespace berth {

// What main makes before any other thread.
struct ControllerStart {
  process::Signals& signals;
  std::string leader_identity;  // election::TakeIdentity
};

// 0: it ended as it was asked to. 1: it could not start.
int RunControllers(const ControllerOptions& options, const ControllerStart& start);

}  // namespace berth
