// The points that ask one plugin after the other about one pod: PostFilter, Reserve, Permit.
// Source of the rules: RunPostFilterPlugins, RunReservePluginsReserve, RunPermitPlugins; core.md 1.11-1.13.
// Thread: scheduling thread; Unreserve also on binding threads.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "framework/profile.h"
#include "plugin/status.h"

namespace berth::framework {

struct PostFilterResult {
  bool nominates = false;       // some plugin answered OVERRIDE
  base::Id node = base::kNoId;  // kNoId clears the nomination
  plugin::Status status;        // Success: the pod may fit after what was done; else why not
};
PostFilterResult RunPostFilter(Profile& profile, berth_cycle& cycle, const berth_pod& pod,
                               const berth_diagnosis& diagnosis);

plugin::Status RunReserve(Profile& profile, berth_cycle& cycle, const berth_pod& pod, base::Id node);
// Every Reserve plugin, in reverse order; cannot fail.
void RunUnreserve(Profile& profile, berth_cycle& cycle, const berth_pod& pod, base::Id node);

struct PermitResult {
  plugin::Status status;                                     // Success, Wait, a rejection or an error
  std::vector<std::pair<plugin::Instance*, int64_t>> waits;  // plugin and its timeout, ns, at most kMaxPermitWait
};
inline constexpr int64_t kMaxPermitWait = 15 * 60 * base::kSecond;
PermitResult RunPermit(Profile& profile, berth_cycle& cycle, const berth_pod& pod, base::Id node);

}  // namespace berth::framework
