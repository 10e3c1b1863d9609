// The description of a set of pods as in berth/pod_sets.h: a key, a copy that can be stored, and the test of one
// pod. Membership depends only on a pod's namespace, its labels, and whether it is being deleted.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "api/intern_tables.h"
#include "api/selector_block.h"
#include "berth/pod_sets.h"

namespace berth::cache {

// The attributes of a pod that decide its membership.
struct PodTraits {
  base::Id ns;
  const berth_labels* labels;
  bool deleted;  // has a deletionTimestamp
};

// [any] Whether this host knows all flags and records of the set.
bool IsKnown(const berth_pod_set& set);
// [any]
bool Contains(const berth_pod_set& set, const PodTraits& pod);

// Two keys are equal if and only if the sets have the same conditions in the same order. The order and duplicates of
// namespaces and pairs have no effect. The key holds numbers of ids and selectors, so it is valid while they are owned.
class PodSetKey {
 public:
  void Assign(const berth_pod_set& set);  // allocates only to grow
  bool operator==(const PodSetKey& other) const { return hash_ == other.hash_ && words_ == other.words_; }
  struct Hash {
    size_t operator()(const PodSetKey& key) const { return key.hash_; }
  };

 private:
  void AddSorted(size_t from, size_t step);

  std::vector<uint32_t> words_;
  uint64_t hash_ = 0;
};

// A copy that owns its ids and selectors.
class OwnedPodSet {
 public:
  OwnedPodSet(api::InternTables& words, const berth_pod_set& set);
  ~OwnedPodSet();
  OwnedPodSet(const OwnedPodSet&) = delete;

  const berth_pod_set& abi() const { return abi_; }
  bool Contains(const PodTraits& pod) const { return cache::Contains(abi_, pod); }

 private:
  struct Match {
    api::SelectorRef selector;
    std::vector<berth_kv> labels;
    std::vector<berth_id> namespaces;
  };
  api::InternTables& words_;
  std::vector<Match> matches_;
  std::vector<berth_pod_match> abi_matches_;
  berth_pod_set abi_;
};

}  // namespace berth::cache
