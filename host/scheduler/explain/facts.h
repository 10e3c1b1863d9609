// What the cluster says about a group of rejected nodes beyond the reason: how much the closest node lacks, which
// taints the pod does not tolerate, which labels it asks for. Thread: the scheduling thread, between two cycles.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "base/intern.h"
#include "scheduler/cache/cache.h"
#include "scheduler/engine/engine.h"
#include "scheduler/explain/pod_explanation.h"

namespace berth::explain {

// How much of a resource the nodes of a group lack.
struct Lack {
  base::Id resource = base::kNoId;  // kNoId: the group is not about a resource
  uint32_t row = 0;                 // the node that lacks the least
  int64_t amount = 0;               // millicores, bytes, or units
};
Lack FindLack(engine::Engine& engine, const api::Pod& pod, const Group& group);

// What is free of a resource by row: allocatable less requested, below 0 on a node with too many pods. Valid until the
// cache changes.
class FreeColumn {
 public:
  FreeColumn(const cache::Cache& cache, base::Id resource);
  int64_t At(uint32_t row) const {
    const auto reserved = reserved_.find(row);
    return Cell(allocatable_, row) - Cell(requested_, row) - (reserved == reserved_.end() ? 0 : reserved->second);
  }
  void Reserve(uint32_t row, int64_t amount) { reserved_[row] += amount; }

 private:
  static int64_t Cell(const berth_column& column, uint32_t row) {
    return column.cells == nullptr ? 0 : static_cast<const int64_t*>(column.cells)[row];
  }
  berth_column allocatable_{sizeof(berth_column), 0, 0, 0, nullptr};
  berth_column requested_{sizeof(berth_column), 0, 0, 0, nullptr};
  std::map<uint32_t, int64_t> reserved_;  // by row
};

// What the pod finds free: the requests of pods that are nominated to a node, and that have no lower priority, count.
FreeColumn FreeFor(engine::Engine& engine, const api::Pod& pod, base::Id resource);

// "" if nothing more is known.
std::string DetailOf(engine::Engine& engine, const api::Pod& pod, const Group& group);

// An amount as in a manifest: "300m", "2", "1536Mi". resource: the name; the unit is the one that plugins see.
std::string AmountText(std::string_view resource, int64_t amount);

// The taints that the pod does not tolerate, with the number of nodes that have them, most frequent first.
std::vector<std::pair<std::string, uint32_t>> TaintsOf(const cache::Cache& cache, const api::Pod& pod,
                                                       const Group& group);

}  // namespace berth::explain
