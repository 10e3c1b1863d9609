// The rules in the annotations of a PriorityClass about the preemption of its pods. Plain values; thread: any. Source:
// sigs.k8s.io/scheduler-plugins pkg/preemptiontoleration/preemption_toleration_policy.go, preemption_toleration.go.
#pragma once

#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <cstdint>
#include <limits>
#include <string>

#include "../common/go_int.h"

namespace plugins::preemption_toleration {

inline constexpr const char* kMinimumPreemptablePriority =
    "preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority";
inline constexpr const char* kTolerationSeconds = "preemption-toleration.scheduling.x-k8s.io/toleration-seconds";

struct Policy {
  // Pods of this priority and above may preempt. Wider than a priority, so that the default does not overflow.
  int64_t minimum_preemptable_priority = 0;
  int64_t toleration_seconds = 0;  // protection time after the pod got its node; negative: without end

  bool operator==(const Policy&) const = default;

  // The policy of a class with invalid annotations: every pod may preempt.
  static Policy Intolerant() { return {std::numeric_limits<int64_t>::min(), 0}; }
};

struct ParsedPolicy {
  Policy policy;
  std::string error;  // "": the annotations are valid
};

inline ParsedPolicy ParsePolicy(const berth::sdk::Object& priority_class) {
  Policy policy{priority_class.At("value").AsInt() + 1, 0};
  std::string error;
  const berth::sdk::Value annotations = priority_class.At("metadata", "annotations");
  if (const berth::sdk::Value text = annotations.Get(kMinimumPreemptablePriority)) {
    int32_t priority = 0;
    error = ParseGoInt(text.AsString(), priority);
    policy.minimum_preemptable_priority = priority;
  }
  if (const berth::sdk::Value text = annotations.Get(kTolerationSeconds); text && error.empty()) {
    error = ParseGoInt(text.AsString(), policy.toleration_seconds);
  }
  return error.empty() ? ParsedPolicy{policy, ""} : ParsedPolicy{Policy::Intolerant(), error};
}

// The time after this number of seconds, at most the latest possible time.
inline int64_t EndOf(int64_t since_unix_ns, int64_t seconds) {
  int64_t ns = 0, end = 0;
  const bool too_late =
      __builtin_mul_overflow(seconds, int64_t{1'000'000'000}, &ns) || __builtin_add_overflow(since_unix_ns, ns, &end);
  return too_late ? std::numeric_limits<int64_t>::max() : end;
}

// Whether a pod of a class with this policy is exempt from preemption by a pod of this priority.
inline bool Exempts(const Policy& policy, const berth::sdk::Pod& victim, int32_t preemptor_priority,
                    int64_t now_unix_ns) {
  if (preemptor_priority >= policy.minimum_preemptable_priority) return false;
  if (policy.toleration_seconds < 0) return true;
  const int64_t since = victim.scheduled_unix_ns();
  return since == BERTH_NO_TIME || EndOf(since, policy.toleration_seconds) > now_unix_ns;
}

}  // namespace plugins::preemption_toleration
