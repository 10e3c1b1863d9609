// The number of pods of each row in each set that plugins used recently. The first use of a set reads every group of
// pods. After that, each pod that is added to or removed from a row updates the cells of its sets. Trials and nominated
// pods do not count. Thread: the scheduling thread. Ownership: copies the description of a set.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "api/pod.h"
#include "scheduler/cache/pod_groups.h"
#include "scheduler/cache/pod_set_spec.h"
#include "scheduler/cache/use_clock.h"

namespace berth::cache {

struct PodCounts {
  std::vector<int32_t> of_row;  // capacity of the cache
  int64_t total = 0;
};

class PodSets {
 public:
  static constexpr size_t kSets = 256;

  explicit PodSets(api::InternTables& intern) : intern_(intern), groups_(intern) {}
  PodSets(const PodSets&) = delete;

  // True until Wake. While asleep, Add does nothing. The caller that wakes the object then adds all pods on rows.
  bool asleep() const { return asleep_; }
  void Wake() { asleep_ = false; }
  void Reserve(uint32_t rows);  // capacity in rows of every set

  // Adds a pod to the row. The result is the handle that removes it; kNone while asleep, which can be removed too.
  static constexpr uint32_t kNone = ~uint32_t{0};
  uint32_t Add(const api::Pod& pod, uint32_t row);
  void Remove(uint32_t handle);

  // The set must be known (IsKnown). The result is valid until the cycle ends.
  const PodCounts& Of(const berth_pod_set& set);
  // Removes the sets used longest ago if there are more than kSets.
  void BeginCycle();

  size_t size() const { return index_.size(); }
  size_t n_cells() const;  // of all sets, removed ones included
  // fn(const berth_pod_set&, const PodCounts&)
  template <class Fn>
  void ForEach(Fn&& fn) const {
    for (const auto& set : sets_) {
      if (set->spec) fn(set->spec->abi(), set->counts);
    }
  }

 private:
  using Index = std::unordered_map<PodSetKey, uint32_t, PodSetKey::Hash>;
  struct Set {
    std::unique_ptr<OwnedPodSet> spec;  // null: a free slot, which keeps its memory up to kSets
    PodCounts counts;
    UseClock::Time used = 0;
  };
  uint32_t Make(const berth_pod_set& set);
  void Count(uint32_t number);
  void Change(const PodGroup& group, uint32_t row, int32_t by);
  void MakeRoom();
  void Free(uint32_t number);

  api::InternTables& intern_;
  PodGroups groups_;
  std::vector<std::unique_ptr<Set>> sets_;
  std::vector<uint32_t> free_;
  Index index_;
  PodSetKey key_;  // scratch
  UseClock clock_;
  uint32_t capacity_ = 0;
  bool asleep_ = true;
};

}  // namespace berth::cache
