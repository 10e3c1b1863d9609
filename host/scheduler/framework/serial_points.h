// The extension points that run one plugin after the other for one pod: PostFilter, Reserve, and Permit.
// Source: RunPostFilterPlugins, RunReservePluginsReserve, RunReservePluginsUnreserve, and RunPermitPlugins in
// pkg/scheduler/framework/runtime/framework.go.
// Thread: scheduling thread; Unreserve also on binding threads.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "plugin/instance/status.h"
#include "scheduler/framework/cycle_context.h"

namespace berth::framework {

struct PostFilterResult {
  bool nominates = false;       // a plugin returned OVERRIDE
  base::Id node = base::kNoId;  // kNoId clears the nomination
  plugin::Status status;        // Success if the pod can fit later, else the reason why not
};
PostFilterResult RunPostFilterPlugins(const CycleContext& ctx, const berth_diagnosis& diagnosis);

plugin::Status RunReservePlugins(const CycleContext& ctx, base::Id node);
// Calls every Reserve plugin in reverse order; cannot fail.
void RunUnreservePlugins(const CycleContext& ctx, base::Id node);

struct PermitResult {
  plugin::Status status;                                     // Success, Wait, a rejection or an error
  std::vector<std::pair<plugin::Instance*, int64_t>> waits;  // plugin and its timeout in ns, at most kMaxPermitWait
};
inline constexpr int64_t kMaxPermitWait = 15 * 60 * base::kSecond;
PermitResult RunPermitPlugins(const CycleContext& ctx, base::Id node);

}  // namespace berth::framework
