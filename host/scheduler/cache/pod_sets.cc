#include "scheduler/cache/pod_sets.h"

#include <algorithm>

#include "base/resize_exactly.h"

namespace berth::cache {

void PodSets::Reserve(uint32_t rows) {
  capacity_ = rows;
  for (const auto& set : sets_) {
    if (set->spec) base::ResizeExactly(set->counts.of_row, rows);
  }
}

uint32_t PodSets::Add(const api::Pod& pod, uint32_t row) {
  if (asleep_) return kNone;
  bool fresh = false;
  const uint32_t number = groups_.Of(pod, &fresh);
  PodGroup& group = groups_.At(number);
  for (uint32_t i = 0; fresh && i < sets_.size(); ++i) {
    if (sets_[i]->spec && sets_[i]->spec->Contains(group.traits())) group.sets.push_back(i);
  }
  Change(group, row, +1);
  return groups_.Join(number, row);
}

void PodSets::Remove(uint32_t handle) {
  if (handle == kNone) return;
  const PodGroups::Left left = groups_.Leave(handle);
  Change(groups_.At(left.group), left.row, -1);
}

void PodSets::Change(const PodGroup& group, uint32_t row, int32_t by) {
  for (uint32_t number : group.sets) {
    PodCounts& counts = sets_[number]->counts;
    counts.of_row[row] += by;
    counts.total += by;
  }
}

const PodCounts& PodSets::Of(const berth_pod_set& set) {
  key_.Assign(set);
  const auto known = index_.find(key_);
  Set& found = *sets_[known != index_.end() ? known->second : Make(set)];
  found.used = clock_.Use();
  return found.counts;
}

uint32_t PodSets::Make(const berth_pod_set& set) {
  MakeRoom();
  uint32_t number = static_cast<uint32_t>(sets_.size());
  if (free_.empty()) {
    sets_.push_back(std::make_unique<Set>());
  } else {
    number = free_.back();
    free_.pop_back();
  }
  Set& fresh = *sets_[number];
  fresh.spec = std::make_unique<OwnedPodSet>(intern_, set);
  index_.emplace(key_, number);
  Count(number);
  return number;
}

void PodSets::Count(uint32_t number) {
  Set& set = *sets_[number];
  set.counts.of_row.assign(capacity_, 0);
  set.counts.total = 0;
  groups_.ForEach([&](PodGroup& group) {
    if (!set.spec->Contains(group.traits())) return;
    group.sets.push_back(number);
    for (const PodGroup::Member& member : group.members) ++set.counts.of_row[member.row];
    set.counts.total += static_cast<int64_t>(group.members.size());
  });
}

void PodSets::MakeRoom() {
  const auto used_of = [this](uint32_t number) { return sets_[number]->used; };
  for (auto at = clock_.ToEvict(index_, kSets, used_of); at != index_.end();
       at = clock_.ToEvict(index_, kSets, used_of)) {
    const uint32_t number = at->second;
    groups_.ForEach([number](PodGroup& group) { std::erase(group.sets, number); });
    index_.erase(at);
    Free(number);
  }
}

void PodSets::BeginCycle() {
  clock_.BeginCycle();
  if (index_.size() <= kSets) return;
  const auto used_of = [this](uint32_t number) { return sets_[number]->used; };
  const UseClock::Time oldest = UseClock::OldestToKeep(index_, kSets, used_of);
  std::erase_if(index_, [&](const auto& entry) {
    const bool goes = used_of(entry.second) < oldest;
    if (goes) Free(entry.second);
    return goes;
  });
  groups_.ForEach([&](PodGroup& group) {
    const size_t n = std::erase_if(group.sets, [&](uint32_t number) { return !sets_[number]->spec; });
    if (n > kSets) group.sets.shrink_to_fit();
  });
}

void PodSets::Free(uint32_t number) {
  sets_[number]->spec = nullptr;
  if (sets_.size() > kSets) sets_[number]->counts.of_row = std::vector<int32_t>();
  free_.push_back(number);
}

size_t PodSets::n_cells() const {
  size_t n = 0;
  for (const auto& set : sets_) n += set->counts.of_row.capacity();
  return n;
}

}  // namespace berth::cache
