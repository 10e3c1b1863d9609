// Logs the scheduler's state at SIGUSR2, like kube-scheduler. Source: pkg/scheduler/backend/cache/debugger. Thread: the
// scheduling thread.
#pragma once

#include <string>

#include "scheduler/engine/engine.h"

namespace berth::daemon {

std::string NodesText(engine::Engine& engine, const api::InternTables& intern);  // one paragraph per node
std::string QueueText(engine::Engine& engine, const api::InternTables& intern);
// Checks the consistency of the state and logs it.
void LogState(engine::Engine& engine, const api::InternTables& intern);

}  // namespace berth::daemon
