// Blocks that an instance keeps for as long as it says, found again by the view it was given. Equal blocks are one
// object, so each view is counted. Thread: any. Ownership: holds a reference per block that is kept.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "api/ref.h"

namespace berth::plugin {

template <class Block>
class Kept {
 public:
  using View = decltype(Block::abi);

  const View* Keep(api::Ref<const Block> block) {
    std::lock_guard lock(mutex_);
    const View* view = &block->abi;
    auto [at, fresh] = kept_.try_emplace(view, std::move(block), 0);
    ++at->second.second;
    return view;
  }
  // Once per Keep; views that are not kept are let be.
  void Drop(const View* view) {
    std::lock_guard lock(mutex_);
    const auto at = kept_.find(view);
    if (at != kept_.end() && --at->second.second == 0) kept_.erase(at);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const View*, std::pair<api::Ref<const Block>, uint32_t>> kept_;
};

}  // namespace berth::plugin
