// Blocks that a plugin keeps until it drops them, by the view that it got. Equal blocks are one object, so the table
// counts each view. Thread: any. Ownership: holds one reference per block.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "api/ref.h"
#include "base/thread_annotations.h"

namespace berth::plugin {

template <class Block>
class HandleTable {
 public:
  using View = decltype(Block::abi);

  const View* Keep(api::Ref<const Block> block) {
    base::MutexLock lock(mutex_);
    const View* view = &block->abi;
    auto [at, fresh] = kept_.try_emplace(view, std::move(block), 0);
    ++at->second.second;
    return view;
  }
  // Once per Keep. Ignores a view that is not in the table.
  void Drop(const View* view) {
    base::MutexLock lock(mutex_);
    const auto at = kept_.find(view);
    if (at != kept_.end() && --at->second.second == 0) kept_.erase(at);
  }

 private:
  base::Mutex mutex_;
  std::unordered_map<const View*, std::pair<api::Ref<const Block>, uint32_t>> kept_ GUARDED_BY(mutex_);
};

}  // namespace berth::plugin
