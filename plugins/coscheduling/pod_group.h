// The fields of a PodGroup (scheduling.x-k8s.io/v1alpha1). Source: apis/scheduling/v1alpha1/types.go of
// kubernetes-sigs/scheduler-plugins. A value, any thread.
#pragma once

#include <berth/objects.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/go_amount.h"
#include "../common/go_time.h"
#include "../common/quantity_text.h"

namespace plugins::coscheduling {

inline constexpr std::string_view kPodGroupLabel = "scheduling.x-k8s.io/pod-group";

// By name, sorted. "pods" is minMember, whatever the object contains.
using Need = std::vector<std::pair<std::string, GoAmount>>;

struct PodGroup {
  int32_t min_member = 0;
  std::optional<int32_t> timeout_seconds;                         // spec.scheduleTimeoutSeconds
  std::optional<Need> need;                                       // spec.minResources
  int64_t created_unix_ns = std::numeric_limits<int64_t>::min();  // Go's zero time if the object has none

  static PodGroup Of(const berth::sdk::Object& object);
};

namespace pod_group_detail {

// Amounts that cannot be read count as 0: the API server accepts none.
inline Need NeedOf(const berth::sdk::Value& resources, int32_t min_member) {
  Need need{{"pods", GoAmount::Decimal(min_member)}};
  for (uint32_t i = 0; i < resources.size(); ++i) {
    const std::string_view name = resources.KeyAt(i);
    if (name == "pods") continue;
    need.emplace_back(name, ParseGoAmount(QuantityText(resources[i])).value_or(GoAmount{}));
  }
  std::sort(need.begin(), need.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return need;
}

// Unix nanoseconds; nullopt: the API server wrote no such text. Years beyond the range of nanoseconds become the last
// year in it.
inline std::optional<int64_t> TimeIn(std::string_view text) {
  static const GoTimeLayout rfc3339("2006-01-02T15:04:05Z07:00");
  using Limits = std::numeric_limits<int64_t>;
  const std::optional<int64_t> microseconds = ParseGoTime(rfc3339, text);
  if (!microseconds) return std::nullopt;
  return std::clamp(*microseconds, Limits::min() / 1000, Limits::max() / 1000) * 1000;
}

}  // namespace pod_group_detail

inline PodGroup PodGroup::Of(const berth::sdk::Object& object) {
  PodGroup group;
  group.min_member = static_cast<int32_t>(object.At("spec", "minMember").AsInt());
  if (const auto timeout = object.At("spec", "scheduleTimeoutSeconds"); timeout.is_int()) {
    group.timeout_seconds = static_cast<int32_t>(timeout.AsInt());
  }
  if (const auto resources = object.At("spec", "minResources"); resources.is_object()) {
    group.need = pod_group_detail::NeedOf(resources, group.min_member);
  }
  if (const auto created = pod_group_detail::TimeIn(object.At("metadata", "creationTimestamp").AsString())) {
    group.created_unix_ns = *created;
  }
  return group;
}

}  // namespace plugins::coscheduling
