// POST /admin/v1/policy/diff: what the last decisions would have been with other weights or without some plugins.
// docs/decisions.md describes it. The scheduling thread only copies references to the records; the thread of the
// request computes. Nothing here changes the scheduler. Thread: the handler on any thread but the scheduling thread.
// Ownership: engine and intern outlive the route.
#pragma once

#include "cluster/explain/explain_api.h"
#include "cluster/serve/routes.h"

namespace berth::explain {

inline constexpr size_t kMaxPolicyDiffBody = size_t{64} * 1024;

void AddPolicyDiffRoute(serve::Routes& routes, const ExplainSources& sources);

}  // namespace berth::explain
