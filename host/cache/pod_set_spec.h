// What a set of pods is, as berth/draft/pod_sets.h describes it: a key to find it by, a copy that may be kept, and the
// test of one pod. Whether a pod belongs depends on its namespace, its labels and whether it is being deleted, and on
// nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "api/selector_block.h"
#include "api/vocabulary.h"
#include "berth/draft/pod_sets.h"

namespace berth::cache {

// What of a pod decides.
struct PodTraits {
  base::Id ns;
  const berth_labels* labels;
  bool deleted;  // has a deletionTimestamp
};

// [any] Are all its flags and records ones that this host knows?
bool IsKnown(const berth_pod_set& set);
// [any]
bool Contains(const berth_pod_set& set, const PodTraits& pod);

// Equal keys <=> the same conditions in the same order; of namespaces and pairs neither order nor repeats matter. Ids
// and selectors are named by number, so a key is good as long as somebody owns them.
class PodSetKey {
 public:
  void Assign(const berth_pod_set& set);  // allocates only while it grows
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
  OwnedPodSet(api::Vocabulary& words, const berth_pod_set& set);
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
  api::Vocabulary& words_;
  std::vector<Match> matches_;
  std::vector<berth_pod_match> abi_matches_;
  berth_pod_set abi_;
};

}  // namespace berth::cache
