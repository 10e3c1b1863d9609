#include "scheduler/queue/rejection_counts.h"

#include <algorithm>

namespace berth::queue {

RejectionCounts::Share& RejectionCounts::Share::operator=(Share&& other) noexcept {
  std::swap(counts_, other.counts_);
  std::swap(parts_, other.parts_);
  other.Return();
  return *this;
}

void RejectionCounts::Share::Return() {
  for (const Part& part : parts_) counts_->Remove(part);
  parts_.clear();
}

RejectionCounts::Share RejectionCounts::Add(const std::map<std::string, uint64_t>& reasons) {
  Share share;
  share.counts_ = this;
  for (const auto& [reason, nodes] : reasons) {
    const uint32_t slot = share.parts_.size() < kMaxReasonsOfPod ? SlotOf(reason) : kMaxReasons;
    const auto n = static_cast<uint32_t>(nodes);
    slots_[slot].nodes += n;
    const auto known =
        std::find_if(share.parts_.begin(), share.parts_.end(), [&](const auto& p) { return p.slot == slot; });
    if (known != share.parts_.end()) {
      known->nodes += n;
      continue;
    }
    ++slots_[slot].pods;
    share.parts_.push_back({slot, n});
  }
  return share;
}

std::vector<RejectionCounts::Sum> RejectionCounts::Sums() const {
  std::vector<Sum> sums;
  for (const Slot& slot : slots_) {
    if (slot.pods == 0) continue;
    sums.push_back({&slot == &slots_.back() ? kOther : std::string_view(slot.reason), slot.nodes, slot.pods});
  }
  return sums;
}

// A new slot if there is a free one. The caller counts a pod in it.
uint32_t RejectionCounts::SlotOf(const std::string& reason) {
  const auto known = by_reason_.find(reason);
  if (known != by_reason_.end()) return known->second;
  if (by_reason_.size() == kMaxReasons) return kMaxReasons;
  uint32_t slot = 0;
  while (slots_[slot].pods != 0) ++slot;
  slots_[slot] = {reason};
  by_reason_.emplace(reason, slot);
  return slot;
}

void RejectionCounts::Remove(const Share::Part& part) {
  Slot& slot = slots_[part.slot];
  slot.nodes -= part.nodes;
  if (--slot.pods == 0 && part.slot != kMaxReasons) by_reason_.erase(slot.reason);
}

}  // namespace berth::queue
