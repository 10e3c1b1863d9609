// Why Filter rejects a node. Source: pkg/noderesourcetopology/{filter.go,preemption/preemption.go} of
// kubernetes-sigs/scheduler-plugins. Thread: any.
#pragma once

#include <berth/plugin.hpp>

#include <cstdint>

namespace plugins::node_topology {

enum class Misfit : uint8_t {
  kNone,
  kPod,  // the pod or container that fits in no zone
  kInitContainer,
  kSidecar,
  kContainer,
  kNothingToAdd,  // an eviction would not free any zone
  kTooMuchToAdd,  // an eviction would free more than the zone has
};

inline berth::sdk::ReasonList ReasonOf(berth::sdk::Cycle& cycle, Misfit misfit) {
  switch (misfit) {
    case Misfit::kPod: return cycle.Reasons("cannot align pod");
    case Misfit::kInitContainer: return cycle.Reasons("cannot align init container");
    case Misfit::kSidecar: return cycle.Reasons("cannot align sidecar container");
    case Misfit::kNothingToAdd:
      return cycle.Reasons(
          "eviction simulation in NRT is not possible:no resources to add, cannot process eviction simulation");
    case Misfit::kTooMuchToAdd:
      return cycle.Reasons(
          "eviction simulation in NRT is not possible:resource release request exceeds NUMA allocatable");
    default: return cycle.Reasons("cannot align container");
  }
}

}  // namespace plugins::node_topology
