// TopologicalSort: of two pods of an AppGroup, the pod whose workload is first in the group's topology order comes
// first. Other pods are ordered as PrioritySort orders them.
// Source: pkg/networkaware/topologicalsort/topologicalsort.go of kubernetes-sigs/scheduler-plugins; docs/differences.md
// lists what differs.
#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <cstdint>
#include <string_view>

#include "../common/app_group.h"
#include "../common/named_objects.h"
#include "args.h"
#include "topology_order.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class TopologicalSort {
 public:
  static constexpr Info kInfo{.name = "TopologicalSort", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_OBJECTS};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { TopologicalSortArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { TopologicalSortArgs::Read(in); }

  explicit TopologicalSort(Host& host)
      : host_(host), objects_(host), labels_(host), orders_(host, ReadArgs<TopologicalSortArgs>(host).namespaces) {}

  void Activate() { objects_.Need(kAppGroupApi, "v1alpha1", "appgroups"); }

  // AppGroups are the only kind that is needed.
  void ObjectChanged(ObjectKind, Object before, Object now) {
    if (!now) return orders_.Forget(before.ns(), before.name());
    if (orders_.Covers(now.ns())) orders_.Set(now.ns(), now.name(), TopologyOrder(host_, now));
  }

  bool Less(const Queued& a, const Queued& b) {
    const Id group = labels_.GroupOf(a.pod());
    if (group != kNoId && group == labels_.GroupOf(b.pod())) {
      const int32_t index_a = IndexOf(group, a.pod()), index_b = IndexOf(group, b.pod());
      if (index_a != index_b) return index_a < index_b;
    }
    return GoesFirst(a, b);
  }

 private:
  int32_t IndexOf(Id group, const Pod& pod) const {
    const TopologyOrder* order = orders_.Find(group);
    return order == nullptr ? TopologyOrder::kUnknown : order->IndexOf(labels_.WorkloadOf(pod));
  }

  // PrioritySort
  static bool GoesFirst(const Queued& a, const Queued& b) {
    const int32_t pa = a.pod().priority(), pb = b.pod().priority();
    return pa > pb || (pa == pb && a->queued_unix_ns < b->queued_unix_ns);
  }

  Host& host_;
  const Objects objects_;
  const AppGroupLabels labels_;
  NamedObjects<TopologyOrder> orders_;  // by the name of the AppGroup
};

}  // namespace plugins

BERTH_PLUGIN(plugins::TopologicalSort);
