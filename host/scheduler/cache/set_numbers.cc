#include "scheduler/cache/set_numbers.h"

namespace berth::cache {

uint32_t SetNumbers::Take(const api::Ref<const api::TaintsBlock>& block) {
  if (!block || block->abi.items.n == 0) return 0;
  auto [it, fresh] = by_content_.try_emplace(block->abi.content, 0);
  if (fresh) {
    if (free_.empty()) {
      it->second = static_cast<uint32_t>(slots_.size());
      slots_.emplace_back();
    } else {
      it->second = free_.back();
      free_.pop_back();
    }
    slots_[it->second].block = block;
  }
  ++slots_[it->second].users;
  return it->second;
}

void SetNumbers::GiveBack(uint32_t number) {
  if (number == 0 || --slots_[number].users > 0) return;
  by_content_.erase(slots_[number].block->abi.content);
  slots_[number].block = {};
  free_.push_back(number);
}

}  // namespace berth::cache
