// What the controllers need of a pod: a few hundred bytes of several KiB. Thread: any; values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "controllers/rules/object_meta.h"
#include "controllers/rules/resource_amounts.h"

namespace berth::rules {

inline constexpr std::string_view kPodGroupLabel = "scheduling.x-k8s.io/pod-group";

enum class PodPhase : uint8_t { kOther, kPending, kRunning, kSucceeded, kFailed };

struct PodFacts {
  std::string ns, name, resource_version;
  PodPhase phase = PodPhase::kOther;
  std::string group;                // the value of kPodGroupLabel; "" = none
  std::vector<std::string> owners;  // names in ownerReferences; only of pods with a group
  Amounts requests;                 // only of running pods
  std::string key() const { return KeyOf(ns, name); }
  // Whether a controller counts the pod.
  bool Counts() const { return !group.empty() || phase == PodPhase::kRunning; }
};

// Error: "pod "ns/name": spec.containers[0].resources.requests["cpu"]: ...".
base::Result<PodFacts> ReadPodFacts(std::string_view json);

}  // namespace berth::rules
