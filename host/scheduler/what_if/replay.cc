#include "scheduler/what_if/replay.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace berth::what_if {
namespace {

using decisions::NodeTable;

// The totals of a table with the weights of a target.
class NewTotals {
 public:
  NewTotals(const NodeTable& table, const Target& target) : constant_(static_cast<uint64_t>(table.constant)) {
    for (const NodeTable::Scores& one : table.scores) {
      if (one.weight == 0) {
        parts_.push_back({&one.weighted, 1, 1});
        continue;
      }
      const auto weight = target.weights.find(one.plugin);
      if (weight != target.weights.end()) parts_.push_back({&one.weighted, one.weight, weight->second});
    }
  }

  // Wraps around, as the totals of the scheduler do.
  int64_t Of(uint32_t row) const {
    uint64_t total = constant_;
    for (const Part& one : parts_) {
      const int64_t weighted = one.scores->At(row);
      total += one.old_weight == one.new_weight
                   ? static_cast<uint64_t>(weighted)
                   : static_cast<uint64_t>(weighted / one.old_weight) * static_cast<uint64_t>(one.new_weight);
    }
    return static_cast<int64_t>(total);
  }

 private:
  struct Part {
    const decisions::Column* scores;
    int64_t old_weight, new_weight;
  };
  const uint64_t constant_;
  std::vector<Part> parts_;
};

// by: the name of a plugin, those of several, separated by commas, that narrowed the nodes in PreFilter, or "": reasons
// that did not fit into the table.
bool MayBeLifted(std::string_view by, const Target& target) {
  if (by.empty()) return true;
  for (size_t begin = 0; begin <= by.size();) {
    const size_t end = std::min(by.find(',', begin), by.size());
    if (target.without_filters.contains(by.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

uint32_t CountUnknown(const NodeTable& table, const Target& target) {
  if (target.without_filters.empty() || table.rejections.empty()) return 0;
  std::vector<bool> lifted;
  for (const decisions::Rejection& one : table.rejections) lifted.push_back(MayBeLifted(one.plugin, target));
  uint32_t unknown = 0;
  for (uint32_t row = 0; row < table.n_rows(); ++row) {
    const int64_t verdict = table.verdicts.At(row);
    if (verdict > NodeTable::kPassed && lifted[static_cast<size_t>(verdict - 1)]) ++unknown;
  }
  return unknown;
}

struct Best {
  uint32_t row = 0, ties = 0;
  int64_t total = 0;
};

Best BestOf(const NodeTable& table, const NewTotals& totals) {
  Best best;
  for (uint32_t row = 0; row < table.n_rows(); ++row) {
    if (!table.Passed(row)) continue;
    const int64_t total = totals.Of(row);
    if (best.ties != 0 && total < best.total) continue;
    if (best.ties == 0 || total > best.total) best = {row, 0, total};
    ++best.ties;
  }
  return best;
}

}  // namespace

Replay ReplayOf(const decisions::Decision& decision, const Target& target) {
  Replay out;
  if (decision.nodes == nullptr) return out;
  const NodeTable& table = *decision.nodes;
  out.unknown_nodes = CountUnknown(table, target);
  const uint32_t recorded = decision.node.empty() ? table.n_rows() : table.Find(decision.node);
  out.fate = recorded == table.n_rows() ? Replay::Fate::kNoNode : Replay::Fate::kStays;
  if (out.fate == Replay::Fate::kNoNode || !table.scored()) return out;
  const NewTotals totals(table, target);
  const Best best = BestOf(table, totals);
  out.ties = best.ties;
  if (best.ties == 0 || totals.Of(recorded) == best.total) return out;
  out.fate = Replay::Fate::kMoves;
  out.to = table.NameOf(best.row);
  out.of_recorded = {table.TotalOf(recorded), totals.Of(recorded)};
  out.of_chosen = {table.TotalOf(best.row), best.total};
  return out;
}

}  // namespace berth::what_if
