#include "scheduler/cache/pod_groups.h"

namespace berth::cache {
namespace {

constexpr size_t kFewEmpty = 64;

}  // namespace

PodGroups::~PodGroups() {
  ForEach([this](PodGroup& group) { Free(group); });
}

uint32_t PodGroups::Of(const api::Pod& pod, bool* fresh) {
  const bool deleted = pod.abi.deletion_unix_ns != BERTH_NO_TIME;
  const uint64_t key = KeyOf(pod.abi.ns, pod.abi.labels->content);
  const auto known = index_[deleted].find(key);
  *fresh = known == index_[deleted].end();
  if (!*fresh) return known->second;

  if (empty_ > kFewEmpty + size() / 2) Sweep();
  uint32_t number = static_cast<uint32_t>(groups_.size());
  if (free_groups_.empty()) {
    groups_.emplace_back();
  } else {
    number = free_groups_.back();
    free_groups_.pop_back();
  }
  PodGroup& group = groups_[number];
  group.ns = pod.abi.ns;
  group.deleted = deleted;
  group.labels = api::Ref(&pod.labels());
  intern_.ids.Keep(group.ns);
  index_[deleted].emplace(key, number);
  ++empty_;
  return number;
}

uint32_t PodGroups::Join(uint32_t group, uint32_t row) {
  uint32_t handle = static_cast<uint32_t>(slots_.size());
  if (free_slots_.empty()) {
    slots_.emplace_back();
  } else {
    handle = free_slots_.back();
    free_slots_.pop_back();
  }
  std::vector<PodGroup::Member>& members = groups_[group].members;
  empty_ -= members.empty();
  slots_[handle] = {group, static_cast<uint32_t>(members.size())};
  members.push_back({row, handle});
  return handle;
}

PodGroups::Left PodGroups::Leave(uint32_t handle) {
  const Slot slot = slots_[handle];
  std::vector<PodGroup::Member>& members = groups_[slot.group].members;
  const uint32_t row = members[slot.at].row;
  members[slot.at] = members.back();  // the last fills the gap
  slots_[members[slot.at].handle].at = slot.at;
  members.pop_back();
  empty_ += members.empty();
  free_slots_.push_back(handle);
  return {slot.group, row};
}

void PodGroups::Sweep() {
  for (uint32_t number = 0; number < groups_.size(); ++number) {
    PodGroup& group = groups_[number];
    if (!group.labels || !group.members.empty()) continue;
    index_[group.deleted].erase(KeyOf(group.ns, group.labels->abi.content));
    Free(group);
    group = {};
    free_groups_.push_back(number);
  }
  empty_ = 0;
}

void PodGroups::Free(PodGroup& group) { intern_.ids.Drop(group.ns); }

}  // namespace berth::cache
