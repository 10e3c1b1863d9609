// How many pods of each row belong to a set, for every set that plugins asked about lately. The first use of a set
// looks at every group of pods; after that each pod that comes to or leaves a row changes the cells of the sets it is
// in. Trials and nominated pods do not count. Thread: scheduling thread. Ownership: copies what describes a set.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "api/pod.h"
#include "cache/pod_groups.h"
#include "cache/pod_set_spec.h"
#include "cache/use_clock.h"

namespace berth::cache {

struct PodCounts {
  std::vector<int32_t> of_row;  // capacity of the cache
  int64_t total = 0;
};

class PodSets {
 public:
  static constexpr size_t kSets = 256;

  explicit PodSets(api::Vocabulary& words) : words_(words), groups_(words) {}
  PodSets(const PodSets&) = delete;

  // Nobody asked yet: pods need not be told of. Whoever asks first tells of all pods there are before.
  bool asleep() const { return asleep_; }
  void Wake() { asleep_ = false; }
  void Reserve(uint32_t rows);  // capacity in rows of every set

  // A pod came to the row. The answer takes it away again; kNone while asleep, which is fine to take away.
  static constexpr uint32_t kNone = ~uint32_t{0};
  uint32_t Add(const api::Pod& pod, uint32_t row);
  void Remove(uint32_t handle);

  // The set must be known (IsKnown). Good until the cycle ends.
  const PodCounts& Of(const berth_pod_set& set);
  // What was used before may make room from now on, and does if there are more than kSets.
  void BeginCycle();

  size_t size() const { return index_.size(); }
  size_t n_cells() const;  // of all sets, those that made room included
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

  api::Vocabulary& words_;
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
