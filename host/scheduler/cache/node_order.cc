#include "scheduler/cache/node_order.h"

#include <algorithm>

namespace berth::cache {

void NodeOrder::Add(uint32_t row, std::string_view zone) {
  auto it = std::find_if(zones_.begin(), zones_.end(), [&](const Zone& z) { return z.name == zone; });
  if (it == zones_.end()) it = zones_.insert(zones_.end(), Zone{std::string(zone), {}});
  it->rows.push_back(row);
  ++size_;
  stale_ = true;
}

void NodeOrder::Remove(uint32_t row, std::string_view zone) {
  auto it = std::find_if(zones_.begin(), zones_.end(), [&](const Zone& z) { return z.name == zone; });
  if (it == zones_.end()) return;
  const size_t before = it->rows.size();
  std::erase(it->rows, row);
  size_ -= before - it->rows.size();
  if (it->rows.empty()) zones_.erase(it);
  stale_ = true;
}

const std::vector<uint32_t>& NodeOrder::rows() {
  if (!stale_) return order_;
  order_.clear();
  for (size_t i = 0; order_.size() < size_; ++i) {
    for (const Zone& zone : zones_) {
      if (i < zone.rows.size()) order_.push_back(zone.rows[i]);
    }
  }
  stale_ = false;
  return order_;
}

}  // namespace berth::cache
