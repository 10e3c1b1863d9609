// The body of POST /admin/v1/policy/diff: what to change in a profile. Thread: any; pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/json/value.h"
#include "scheduler/what_if/target.h"

namespace berth::explain {

struct PolicyDiffRequest {
  std::string profile;                                    // schedulerName; "": the first profile
  std::map<std::string, int64_t> weights;                 // Score plugin -> new weight
  std::set<std::string> without_scores, without_filters;  // plugins to disable at Score; at PreFilter and Filter
  size_t limit = 100;                                     // decisions to look at
};
// {"profile": P, "weights": {PLUGIN: WEIGHT}, "disabled": {"score": [PLUGIN], "filter": [PLUGIN]}, "limit": N}; all
// members may be absent, and so may the body. The error names the member.
base::Result<PolicyDiffRequest> ReadPolicyDiffRequest(std::string_view body);

// What the active policy does in one profile.
struct ActiveProfile {
  std::string name;
  uint64_t generation = 0;
  std::vector<std::string> plugins;                   // of score and filters, each once
  std::map<std::string, int64_t, std::less<>> score;  // weights
  std::set<std::string, std::less<>> filters;         // of PreFilter and Filter
};
// The error names the plugin that the profile does not have.
base::Result<what_if::Target> TargetOf(const ActiveProfile& profile, const PolicyDiffRequest& request);

// The member plugins of a PolicyDiff: each plugin now, and then.
json::Value ChangeJson(const ActiveProfile& profile, const what_if::Target& target);

}  // namespace berth::explain
