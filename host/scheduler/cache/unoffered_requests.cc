#include "scheduler/cache/unoffered_requests.h"

#include <algorithm>

#include "scheduler/cache/column_store.h"

namespace berth::cache {
namespace {

int64_t Sum(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }

void SetCell(UnofferedRequests::Column& column, uint32_t row, int64_t sum) {
  column.sums[row] = sum;
  column.mirror[row] = static_cast<double>(sum);
  column.exact = column.exact && IsExact(sum);
}

}  // namespace

UnofferedRequests::~UnofferedRequests() {
  for (const auto& [name, sums] : by_name_) ids_.Drop(name);
}

void UnofferedRequests::Add(base::Id name, uint32_t row, int64_t value) {
  if (value == 0) return;
  const auto [it, fresh] = by_name_.try_emplace(name);
  if (fresh) ids_.Keep(name);
  Sums& sums = it->second;
  const auto at = Change(sums, name, row, value);
  if (at->sum == 0) sums.erase(at);
  if (!sums.empty()) return;
  by_name_.erase(it);
  ids_.Drop(name);
}

bool UnofferedRequests::Try(base::Id name, uint32_t row, int64_t value) {
  const auto it = by_name_.find(name);
  if (value == 0 || it == by_name_.end()) return false;
  Change(it->second, name, row, value);
  return true;
}

UnofferedRequests::Sums::iterator UnofferedRequests::Change(Sums& sums, base::Id name, uint32_t row, int64_t value) {
  auto at = std::lower_bound(sums.begin(), sums.end(), row, [](const RowSum& s, uint32_t r) { return s.row < r; });
  if (at == sums.end() || at->row != row) at = sums.insert(at, {row, 0});
  at->sum = Sum(at->sum, value);
  if (Column* column = shown_.Find(name)) SetCell(*column, row, at->sum);
  return at;
}

std::vector<UnofferedRequests::RowSum> UnofferedRequests::Take(base::Id name) {
  const auto it = by_name_.find(name);
  if (it == by_name_.end()) return {};
  Sums sums = std::move(it->second);
  by_name_.erase(it);
  ids_.Drop(name);
  return sums;
}

const UnofferedRequests::Column* UnofferedRequests::Show(base::Id name, uint32_t capacity) const {
  if (const Column* column = shown_.Find(name)) return column;
  const auto it = by_name_.find(name);
  if (it == by_name_.end()) return nullptr;
  return &shown_.FindOrMake(name, [&](Column& column) {
    column.sums.assign(capacity, 0);
    column.mirror.assign(capacity, 0);
    column.exact = true;
    for (const RowSum& at : it->second) SetCell(column, at.row, at.sum);
  });
}

}  // namespace berth::cache
