// A small sorted set of plugin names (ids of the names written in a profile). Keeps its memory when cleared, because
// the pods that hold such sets are reused. The ids are not owned: whoever configures plugins keeps their names
// interned. Thread: like a std::vector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "base/intern.h"

namespace berth::queue {

class PluginSet {
 public:
  PluginSet() = default;
  PluginSet(std::initializer_list<base::Id> plugins) {
    for (base::Id plugin : plugins) Insert(plugin);
  }

  // False when it was there already.
  bool Insert(base::Id plugin) {
    const auto at = std::lower_bound(ids_.begin(), ids_.end(), plugin);
    if (at != ids_.end() && *at == plugin) return false;
    const auto place = at - ids_.begin();
    ids_.push_back(plugin);  // not insert(): gcc 12 warns of it, falsely, where it knows the set to be empty
    std::rotate(ids_.begin() + place, ids_.end() - 1, ids_.end());
    return true;
  }
  bool Contains(base::Id plugin) const { return std::binary_search(ids_.begin(), ids_.end(), plugin); }
  void Clear() { ids_.clear(); }
  bool empty() const { return ids_.empty(); }
  size_t size() const { return ids_.size(); }
  auto begin() const { return ids_.begin(); }
  auto end() const { return ids_.end(); }
  bool operator==(const PluginSet& other) const = default;

 private:
  std::vector<base::Id> ids_;
};

}  // namespace berth::queue
