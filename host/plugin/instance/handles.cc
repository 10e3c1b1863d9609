#include "plugin/instance/handles.h"

#include <utility>

namespace berth::plugin {

Handles::~Handles() {
  for (const auto& [id, n] : owned_ids_) {
    for (uint32_t i = 0; i < n; ++i) ids_.Drop(id);
  }
}

const api::LabelSelector* Handles::Keep(std::unique_ptr<api::LabelSelector> selector) {
  base::MutexLock lock(mutex_);
  return kept_selectors_.emplace_back(std::move(selector)).get();
}

const berth_node_affinity* Handles::Keep(api::Ref<const api::NodeAffinityBlock> affinity) {
  base::MutexLock lock(mutex_);
  return &kept_affinities_.emplace_back(std::move(affinity))->abi;
}

void Handles::OwnId(base::Id id) {
  if (id <= base::kEmptyId) return;
  base::MutexLock lock(mutex_);
  ++owned_ids_[id];
}

void Handles::DropId(base::Id id) {
  {
    base::MutexLock lock(mutex_);
    auto it = owned_ids_.find(id);
    if (it == owned_ids_.end()) return;
    if (--it->second == 0) owned_ids_.erase(it);
  }
  ids_.Drop(id);
}

}  // namespace berth::plugin
