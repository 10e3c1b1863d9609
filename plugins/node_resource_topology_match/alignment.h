// Filter: whether the kubelet of a node with the policy single-numa-node would find a zone for each container of a pod,
// or for the pod as a whole. Source: pkg/noderesourcetopology/filter.go of kubernetes-sigs/scheduler-plugins.
// Thread: one at a time; one for each call.
#pragma once

#include <berth/plugin.hpp>

#include <bit>
#include <cstdint>
#include <vector>

#include "board.h"
#include "demand.h"
#include "eviction.h"
#include "misfit.h"
#include "row_zones.h"
#include "victims.h"

namespace plugins::node_topology {

class Alignment {
 public:
  // victims: null, or pods that do not count.
  Alignment(const Board& board, const Demand& demand, const berth::sdk::Snapshot& snap, const Victims* victims)
      : board_(board), demand_(demand), snap_(snap), zones_(board, demand), eviction_(board, demand, victims) {}

  // Whether pods are removed only for a trial.
  bool simulated() const { return eviction_.simulated(); }

  // Of a row with a topology.
  Misfit Of(uint32_t row) {
    const TopologyManager& manager = board_.At(row).manager;
    if (manager.policy != Policy::kSingleNumaNode) return Misfit::kNone;
    zones_.Load(row);
    if (const Misfit misfit = eviction_.Apply(row, zones_); misfit != Misfit::kNone) return misfit;
    if (manager.scope == Scope::kPod) return Fitting(demand_.pod()) == 0 ? Misfit::kPod : Misfit::kNone;
    return OfContainers();
  }

 private:
  // Init containers run one after the other, so they take nothing from the others.
  Misfit OfContainers() {
    for (const Part& part : demand_.containers()) {
      const uint64_t fitting = Fitting(part.wants);
      if (fitting == 0) return MisfitOf(part.kind);
      if (part.kind == BERTH_CONTAINER_APP) Take(part.wants, static_cast<uint32_t>(std::countr_zero(fitting)));
    }
    return Misfit::kNone;
  }
  static Misfit MisfitOf(uint32_t kind) {
    if (kind == BERTH_CONTAINER_APP) return Misfit::kContainer;
    return kind == BERTH_CONTAINER_SIDECAR ? Misfit::kSidecar : Misfit::kInitContainer;
  }

  // The zones that satisfy every want. All bits: no want depends on a zone.
  uint64_t Fitting(const std::vector<Want>& wants) const {
    uint64_t fitting = ~uint64_t{0};
    for (const Want& want : wants) {
      if (want.amount == 0) continue;
      const Resource& resource = zones_.Of(want);
      if (!Offers(resource)) return 0;
      const uint64_t satisfying = zones_.Satisfying(want);
      if (satisfying == 0 && resource.host_level && zones_.Listing(want.resource) == 0) continue;
      fitting &= satisfying;
    }
    return fitting;
  }

  // Whether the node has the resource at all, even none of it.
  bool Offers(const Resource& resource) const {
    if (resource.offer != Resource::Offer::kSomeNodes) return resource.offer == Resource::Offer::kEveryNode;
    if (resource.allocatable == nullptr) return Names(resource);
    return resource.allocatable[zones_.row()] != 0 || Names(resource);
  }
  bool Names(const Resource& resource) const {
    for (const berth_amount& amount : snap_.View(zones_.row()).allocatable()) {
      if (amount.name == resource.name) return true;
    }
    return false;
  }

  // The kubelet takes the lowest zone that fits. A zone that satisfies a want has enough.
  void Take(const std::vector<Want>& wants, uint32_t zone) {
    if (zone >= zones_.zones()) return;
    for (const Want& want : wants) {
      int64_t& cell = zones_.Cells(want.resource)[zone];
      if (!zones_.Of(want).soft && cell != kUnlisted) cell -= want.amount;
    }
  }

  const Board& board_;
  const Demand& demand_;
  const berth::sdk::Snapshot& snap_;
  RowZones zones_;
  Eviction eviction_;
};

}  // namespace plugins::node_topology
