// Small dense numbers for hash-consed sets that rows show in a SET column: number 0 is the empty set, a number is used
// again when no row shows its set any more. Thread: scheduling thread.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "api/block.h"

namespace berth::cache {

class SetNumbers {
 public:
  SetNumbers() { slots_.resize(1); }
  // The number of the block's set, counted once more.
  uint32_t Take(const api::Ref<const api::TaintsBlock>& block);
  void GiveBack(uint32_t number);
  berth_list Items(uint32_t number) const {
    if (number == 0 || number >= slots_.size() || !slots_[number].block) return {nullptr, 0, sizeof(berth_taint)};
    return slots_[number].block->abi.items;
  }

 private:
  struct Slot {
    api::Ref<const api::TaintsBlock> block;
    uint32_t users = 0;
  };
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
  std::unordered_map<uint32_t, uint32_t> by_content_;
};

}  // namespace berth::cache
