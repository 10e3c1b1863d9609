#include "cluster/explain/new_decisions.h"

#include <algorithm>

namespace berth::explain {

NewDecisions CopyNew(const decisions::Ring& ring, uint64_t after) {
  constexpr uint64_t kAtOnce = 100;
  NewDecisions copy{.newest = ring.last_id()};
  if (after >= copy.newest) return copy;
  const uint64_t first = std::max(after + 1, copy.newest + 1 - ring.size());
  copy.missed = first - after - 1;
  for (uint64_t id = first; id <= copy.newest && id < first + kAtOnce; ++id) copy.decisions.push_back(ring.Find(id));
  return copy;
}

}  // namespace berth::explain
