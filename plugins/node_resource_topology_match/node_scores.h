// Score: how well the zones of a node suit a pod of the class Guaranteed, from 0 to 100.
// Source: pkg/noderesourcetopology/{score,least_numa}.go of kubernetes-sigs/scheduler-plugins. Thread: one at a time;
// one for each call.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "board.h"
#include "demand.h"
#include "least_zones.h"
#include "row_zones.h"
#include "strategies.h"

namespace plugins::node_topology {

// The fewer zones, the better. The original does not stop at 0 if there are more zones than the kubelet allows.
inline int64_t ScoreOfCount(int64_t zones, bool nearest, int64_t max_zones) {
  const int64_t each = 100 / max_zones;
  return std::max<int64_t>(0, 100 - zones * each + (nearest ? each / 2 : 0));
}

class NodeScores {
 public:
  NodeScores(Strategy strategy, const Board& board, const Demand& demand)
      : strategy_(strategy),
        board_(board),
        demand_(demand),
        zones_(board, demand),
        zone_score_(strategy, zones_),
        least_zones_(zones_) {}

  int64_t Of(uint32_t row) {
    const BoardRow& node = board_.At(row);
    if (!node.known || node.stale) return 0;
    const bool least_zones = strategy_ == Strategy::kLeastNumaNodes;
    if (!least_zones && node.manager.policy != Policy::kSingleNumaNode) return 0;
    zones_.Load(row);
    if (least_zones) return node.manager.scope == Scope::kPod ? LeastOfPod(node) : LeastOfContainers(node);
    return node.manager.scope == Scope::kPod ? OfRequest(demand_.pod()) : OfContainers();
  }

 private:
  // The score of the worst usable zone: the kubelet does not report which zone it takes.
  int64_t OfRequest(const std::vector<Want>& wants) {
    int64_t least = 0;
    for (uint32_t zone = 0; zone < zones_.zones(); ++zone) {
      const int64_t score = zone_score_.Of(wants, zone);
      if (least == 0 || (score != 0 && score < least)) least = score;
    }
    return least;
  }
  // Containers that request nothing do not count.
  int64_t OfContainers() {
    int64_t sum = 0, n = 0;
    for (const Part& part : demand_.containers()) {
      if (part.wants.empty()) continue;
      sum += OfRequest(part.wants);
      ++n;
    }
    return n == 0 ? 0 : sum / n;
  }

  int64_t LeastOfPod(const BoardRow& node) {
    if (least_zones_.TouchesNone(demand_.pod())) return 100;
    const auto found = least_zones_.Find(demand_.pod(), board_.Far(zones_.row()));
    return found ? ScoreOfCount(std::popcount(found->zones), found->nearest, node.manager.max_zones) : 0;
  }
  int64_t LeastOfContainers(const BoardRow& node) {
    int most = 0;
    bool nearest = true;
    for (const Part& part : demand_.containers()) {
      if (least_zones_.TouchesNone(part.wants)) continue;
      const auto found = least_zones_.Find(part.wants, board_.Far(zones_.row()));
      if (!found) return 0;
      most = std::max(most, std::popcount(found->zones));
      nearest = nearest && found->nearest;
      least_zones_.Drain(part.wants, found->zones);
    }
    return most == 0 ? 100 : ScoreOfCount(most, nearest, node.manager.max_zones);
  }

  const Strategy strategy_;
  const Board& board_;
  const Demand& demand_;
  RowZones zones_;
  ZoneScore zone_score_;
  LeastZones least_zones_;
};

}  // namespace plugins::node_topology
