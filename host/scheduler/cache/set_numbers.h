// Small dense numbers for the hash-consed sets that rows show in a SET column. Number 0 is the empty set. A number is
// reused when no row shows its set any more. Thread: the scheduling thread.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "api/block.h"

namespace berth::cache {

class SetNumbers {
 public:
  SetNumbers() { slots_.resize(1); }
  // Returns the number of the block's set and adds a reference to it.
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
