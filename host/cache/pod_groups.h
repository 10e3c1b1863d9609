// The pods on rows, grouped by what decides to which sets they belong: namespace, labels, and whether they are being
// deleted. Pods of one template are one group, so that a new set looks at groups instead of pods, and a pod of a known
// group is not looked at at all. Thread: scheduling thread. Ownership: a group owns its namespace and labels.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "api/pod.h"
#include "cache/pod_set_spec.h"

namespace berth::cache {

struct PodGroup {
  struct Member {
    uint32_t row;
    uint32_t handle;  // its own, see PodGroups
  };
  base::Id ns = base::kNoId;
  bool deleted = false;
  api::Ref<const api::LabelsBlock> labels;  // null: a free slot
  std::vector<Member> members;
  std::vector<uint32_t> sets;  // which sets its pods belong to; kept by PodSets

  PodTraits traits() const { return {ns, &labels->abi, deleted}; }
};

class PodGroups {
 public:
  explicit PodGroups(api::Vocabulary& words) : words_(words) {}
  ~PodGroups();
  PodGroups(const PodGroups&) = delete;

  // The pod's group, made if need be; *fresh tells.
  uint32_t Of(const api::Pod& pod, bool* fresh);
  PodGroup& At(uint32_t group) { return groups_[group]; }
  // One more pod of the group on the row. The answer takes it away again.
  uint32_t Join(uint32_t group, uint32_t row);
  struct Left {
    uint32_t group, row;
  };
  Left Leave(uint32_t handle);

  // fn(PodGroup&) for each group, those that are empty at the moment included.
  template <class Fn>
  void ForEach(Fn&& fn) {
    for (PodGroup& group : groups_) {
      if (group.labels) fn(group);
    }
  }
  size_t size() const { return index_[0].size() + index_[1].size(); }

 private:
  struct Slot {
    uint32_t group;
    uint32_t at;  // its place in the group's members
  };
  static uint64_t KeyOf(base::Id ns, uint32_t content) { return uint64_t{ns} << 32 | content; }
  void Sweep();  // frees the empty groups
  void Free(PodGroup& group);

  api::Vocabulary& words_;
  std::vector<PodGroup> groups_;
  std::vector<uint32_t> free_groups_;
  std::array<std::unordered_map<uint64_t, uint32_t>, 2> index_;  // by `deleted`
  std::vector<Slot> slots_;                                      // by handle
  std::vector<uint32_t> free_slots_;
  size_t empty_ = 0;  // groups without a pod: kept for a while, for pods often come back changed
};

}  // namespace berth::cache
