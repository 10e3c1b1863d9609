#include "cache/overlay.h"

namespace berth::cache {

void Overlay::Add(const api::PodRef& pod) {
  Cache::Row& row = cache_.rows_[row_];
  row.pods.push_back(pod);
  row.views.push_back(&pod->abi);
  const berth_list& ports = pod->ports->abi.items;
  for (uint32_t i = 0; i < ports.n; ++i) row.ports.push_back(*BERTH_AT(ports, berth_host_port, i));
  cache_.Account(row_, *pod, +1);
  added_.push_back(pod);
  MarkChanged();
}

Overlay::~Overlay() {
  Cache::Row& row = cache_.rows_[row_];
  for (auto it = added_.rbegin(); it != added_.rend(); ++it) {
    row.pods.pop_back();
    row.views.pop_back();
    row.ports.resize(row.ports.size() - (*it)->ports->abi.items.n);
    cache_.Account(row_, **it, -1);
  }
  if (!added_.empty()) MarkChanged();
}

void Overlay::MarkChanged() { cache_.store_.Cells<int64_t>(cache_.generation_column_)[row_] = ++cache_.generation_; }

}  // namespace berth::cache
