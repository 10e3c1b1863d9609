// The scheduler's state for people, as kube-scheduler logs it at SIGUSR2. Source:
// pkg/scheduler/backend/cache/debugger; core.md 4.4. Thread: the scheduling thread.
#pragma once

#include <string>

#include "engine/engine.h"

namespace berth::daemon {

std::string NodesText(engine::Engine& engine, const api::Vocabulary& words);  // one paragraph per node
std::string QueueText(engine::Engine& engine, const api::Vocabulary& words);
// Checks and logs all of it.
void LogState(engine::Engine& engine, const api::Vocabulary& words);

}  // namespace berth::daemon
