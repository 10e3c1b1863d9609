// PrioritySort: pods of higher priority first, then those that have waited longer.
// Source: pkg/scheduler/framework/plugins/queuesort/priority_sort.go.
#include <berth/plugin.hpp>

namespace plugins {

class PrioritySort {
 public:
  static constexpr berth::sdk::Info kInfo{.name = "PrioritySort", .vendor = "berth.dev"};

  bool Less(const berth::sdk::Queued& a, const berth::sdk::Queued& b) {
    const int32_t pa = a.pod().priority(), pb = b.pod().priority();
    return pa > pb || (pa == pb && a->queued_unix_ns < b->queued_unix_ns);
  }
};

}  // namespace plugins

BERTH_PLUGIN(plugins::PrioritySort);
