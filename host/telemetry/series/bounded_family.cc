#include "telemetry/series/bounded_family.h"

#include <algorithm>

namespace berth::series {

void BoundedFamily::Release(User user) {
  users_.erase(user);
  if (definition_.kind != Kind::kGauge) return;
  for (auto at = series_.begin(); at != series_.end();) {
    at->second.erase(user);
    at = at->second.empty() ? series_.erase(at) : std::next(at);
  }
}

Found BoundedFamily::At(std::vector<std::string> values, User user) {
  if (values.size() != definition_.labels.size()) return Lacks(Lack::kLabels, nullptr);
  if (HasRoomFor(values)) return {CellOf(series_[std::move(values)], user)};
  if (definition_.kind == Kind::kGauge) return Lacks(Lack::kDropped, nullptr);
  return Lacks(Lack::kOverflow, CellOf(series_[beyond_], user));
}

bool BoundedFamily::HasRoomFor(const std::vector<std::string>& values) const {
  const auto valid = [this](const std::string& value) { return IsLabelValue(value, limits_); };
  if (!std::all_of(values.begin(), values.end(), valid)) return false;
  return series_.contains(values) || series_.size() < limits_.series + series_.count(beyond_);
}

Found BoundedFamily::Lacks(Lack lack, Cell* cell) { return {cell, lack, told_.insert(lack).second}; }

Cell* BoundedFamily::CellOf(Cells& cells, User user) {
  std::unique_ptr<Cell>& cell = cells[definition_.kind == Kind::kGauge ? user : nullptr];
  if (cell == nullptr) cell = std::make_unique<Cell>(definition_.kind, definition_.buckets);
  return cell.get();
}

std::vector<Sample> BoundedFamily::Samples() const {
  std::vector<Sample> samples;
  for (const auto& [values, cells] : series_) {
    Sample& sample = samples.emplace_back(Sample{values, 0, {}});
    for (const auto& [user, cell] : cells) {
      if (definition_.kind == Kind::kHistogram) {
        sample.distribution = cell->Counted();
      } else {
        sample.value += cell->Value();
      }
    }
  }
  return samples;
}

}  // namespace berth::series
