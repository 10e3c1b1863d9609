// A small sorted set of plugin names (ids of the names in a profile). It keeps its memory when cleared, because the
// queue reuses the pods that hold such sets. The ids are not owned: the owner of the profiles keeps the names interned.
// Thread: like a std::vector.
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

  // Returns false if the set already contains the plugin.
  bool Insert(base::Id plugin) {
    const auto at = std::lower_bound(ids_.begin(), ids_.end(), plugin);
    if (at != ids_.end() && *at == plugin) return false;
    const auto place = at - ids_.begin();
    ids_.push_back(plugin);  // not insert(): gcc 12 gives a false warning if it knows that the set is empty
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
