// The pods on rows, grouped by the attributes that decide their membership in sets: namespace, labels, and whether they
// are being deleted. Pods of one template form one group. A new set therefore reads groups instead of pods, and a pod
// of a known group is not read. Thread: the scheduling thread. Ownership: a group owns its namespace and labels.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "api/pod.h"
#include "scheduler/cache/pod_set_spec.h"

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
  std::vector<uint32_t> sets;  // the sets that its pods belong to; updated by PodSets

  PodTraits traits() const { return {ns, &labels->abi, deleted}; }
};

class PodGroups {
 public:
  explicit PodGroups(api::InternTables& intern) : intern_(intern) {}
  ~PodGroups();
  PodGroups(const PodGroups&) = delete;

  // Returns the pod's group, and creates it if there is none; *fresh: whether it was created.
  uint32_t Of(const api::Pod& pod, bool* fresh);
  PodGroup& At(uint32_t group) { return groups_[group]; }
  // Adds a pod of the group to the row. The result is the handle that removes it again.
  uint32_t Join(uint32_t group, uint32_t row);
  struct Left {
    uint32_t group, row;
  };
  Left Leave(uint32_t handle);

  // Calls fn(PodGroup&) for each group, empty groups included.
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
    uint32_t at;  // its index in the group's members
  };
  static uint64_t KeyOf(base::Id ns, uint32_t content) { return uint64_t{ns} << 32 | content; }
  void Sweep();  // removes the empty groups
  void Free(PodGroup& group);

  api::InternTables& intern_;
  std::vector<PodGroup> groups_;
  std::vector<uint32_t> free_groups_;
  std::array<std::unordered_map<uint64_t, uint32_t>, 2> index_;  // by `deleted`
  std::vector<Slot> slots_;                                      // by handle
  std::vector<uint32_t> free_slots_;
  size_t empty_ = 0;  // groups without pods; kept for a while, because pods often come back with changes
};

}  // namespace berth::cache
