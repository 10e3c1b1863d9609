// The settings of the kubelet's topology manager in a NodeResourceTopology. Source: pkg/noderesourcetopology/nodeconfig
// of kubernetes-sigs/scheduler-plugins. A value; thread: any.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "../common/go_int.h"

namespace plugins::node_topology {

enum class Policy : uint8_t { kNone, kBestEffort, kRestricted, kSingleNumaNode };
enum class Scope : uint8_t { kContainer, kPod };

struct TopologyManager {
  static constexpr int64_t kMostZones = 1024;

  Policy policy = Policy::kNone;
  Scope scope = Scope::kContainer;
  int64_t max_zones = 8;  // 2 to kMostZones

  bool operator==(const TopologyManager&) const = default;

  // The first of `topologyPolicies`. An unknown one changes nothing.
  void SetBoth(std::string_view name) {
    constexpr struct {
      std::string_view name;
      Policy policy;
      Scope scope;
    } kNames[] = {{"SingleNUMANodePodLevel", Policy::kSingleNumaNode, Scope::kPod},
                  {"SingleNUMANodeContainerLevel", Policy::kSingleNumaNode, Scope::kContainer},
                  {"BestEffortPodLevel", Policy::kBestEffort, Scope::kPod},
                  {"BestEffortContainerLevel", Policy::kBestEffort, Scope::kContainer},
                  {"RestrictedPodLevel", Policy::kRestricted, Scope::kPod},
                  {"RestrictedContainerLevel", Policy::kRestricted, Scope::kContainer}};
    for (const auto& known : kNames) {
      if (known.name == name) policy = known.policy, scope = known.scope;
    }
  }

  // One of `attributes`. An unknown name or value changes nothing.
  void SetAttribute(std::string_view name, std::string_view value) {
    if (name == "topologyManagerScope") SetScope(value);
    if (name == "topologyManagerPolicy") SetPolicy(value);
    if (name == "topologyManagerMaxNUMANodes") SetMaxZones(value);
  }

 private:
  void SetScope(std::string_view value) {
    if (value == "container") scope = Scope::kContainer;
    if (value == "pod") scope = Scope::kPod;
  }
  void SetPolicy(std::string_view value) {
    if (value == "none") policy = Policy::kNone;
    if (value == "best-effort") policy = Policy::kBestEffort;
    if (value == "restricted") policy = Policy::kRestricted;
    if (value == "single-numa-node") policy = Policy::kSingleNumaNode;
  }
  void SetMaxZones(std::string_view value) {
    int64_t number = 0;
    if (ParseGoInt(value, number).empty() && number > 1) max_zones = std::min(number, kMostZones);
  }
};

}  // namespace plugins::node_topology
