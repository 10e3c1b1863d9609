// GET /admin/v1/decisions: the last decisions, or with the parameter `watch`, those that follow as server-sent events.
// Thread: any but the scheduling thread. Ownership: the engine outlives the calls.
#pragma once

#include "client/http/incoming.h"
#include "cluster/explain/watch_hub.h"
#include "scheduler/engine/engine.h"

namespace berth::explain {

http::Answer ListOrWatchDecisions(engine::Engine& engine, WatchHub& hub, const http::Incoming& request);

}  // namespace berth::explain
