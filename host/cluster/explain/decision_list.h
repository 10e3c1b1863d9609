// GET /admin/v1/decisions: the last decisions, or with the parameter `watch`, those that follow as server-sent events.
// Thread: any but the scheduling thread. Ownership: the engine outlives the calls.
#pragma once

#include <stop_token>

#include "client/http/incoming.h"
#include "cluster/explain/watch_hub.h"
#include "scheduler/engine/engine.h"

namespace berth::explain {

// ending: stop ends the wait for the scheduling thread.
http::Answer ListOrWatchDecisions(engine::Engine& engine, WatchHub& hub, const std::stop_token& ending,
                                  const http::Incoming& request);

}  // namespace berth::explain
