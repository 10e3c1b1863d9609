// The quotas as they would be if pods left and came back: the changes by the trial of one node. Memory is kept from
// node to node. Thread: [serial], in PostFilter. Ownership: the quotas outlive it, and do not change during its life.
#pragma once

#include <utility>
#include <vector>

#include "amounts.h"
#include "quotas.h"

namespace plugins::capacity_scheduling {

class Ledger {
 public:
  explicit Ledger(const Quotas& quotas) : quotas_(quotas) {}

  // Reverts all changes.
  void Start() {
    changed_.clear();
    pool_ = quotas_.used();
  }
  // A pod of a namespace that has a quota.
  void Remove(const Namespace& ns, const Amounts& request) { Change(ns, request, &Amounts::Subtract); }
  void Add(const Namespace& ns, const Amounts& request) { Change(ns, request, &Amounts::Add); }

  bool OverMin(const Namespace& ns) const { return capacity_scheduling::OverMin(*ns.quota, UsedBy(ns)); }
  bool OverMaxWith(const Namespace& ns, const Amounts& request) const {
    return capacity_scheduling::OverMaxWith(*ns.quota, UsedBy(ns), request);
  }
  bool PoolOverMinWith(const Amounts& request) const {
    return capacity_scheduling::PoolOverMinWith(pool_, quotas_.min(), request);
  }

 private:
  const Amounts& UsedBy(const Namespace& ns) const {
    for (const auto& [changed, used] : changed_) {
      if (changed == &ns) return used;
    }
    return ns.used;
  }
  void Change(const Namespace& ns, const Amounts& request, void (Amounts::*change)(const Amounts&)) {
    (Own(ns).*change)(request);
    (pool_.*change)(request);
  }
  Amounts& Own(const Namespace& ns) {
    for (auto& [changed, used] : changed_) {
      if (changed == &ns) return used;
    }
    return changed_.emplace_back(&ns, ns.used).second;
  }

  const Quotas& quotas_;
  std::vector<std::pair<const Namespace*, Amounts>> changed_;  // of the few namespaces with pods on the node
  Amounts pool_;
};

}  // namespace plugins::capacity_scheduling
