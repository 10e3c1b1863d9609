#include "simulator/results/result_table.h"

#include <algorithm>

#include "base/text_table.h"

namespace berth::results {

void TableResult::Add(const AttemptEntry& entry) {
  if (entry.result != "Scheduled") {
    auto [it, fresh] = pending_.insert_or_assign(entry.pod, entry);
    it->second.nodes.clear();
    if (fresh) pending_order_.push_back(entry.pod);
    return;
  }
  if (pending_.erase(entry.pod) != 0) std::erase(pending_order_, entry.pod);
  Placed placed{entry.pod, entry.node, false, 0, {}};
  for (const cycle::NodeRecord& node : entry.nodes) {
    if (node.name != entry.node || node.scores.empty()) continue;
    placed.scored = true;
    placed.total = node.total;
    for (const auto& [plugin, score] : node.scores) {
      placed.scores[plugin] = score;
      if (std::find(plugins_.begin(), plugins_.end(), plugin) == plugins_.end()) plugins_.push_back(plugin);
    }
  }
  placed_.push_back(std::move(placed));
}

void TableResult::Quiet(const std::string& what) {
  if (style_.steps) out_ << (first_ ? "" : "\n") << "AT " << (what.empty() ? "START" : what) << '\n';
  first_ = false;
  if (!placed_.empty()) PrintPlaced();
  if (!pending_order_.empty()) PrintPending();
  if (placed_.empty() && pending_order_.empty()) out_ << "No pods to schedule.\n";
  placed_.clear();
  plugins_.clear();
}

void TableResult::PrintPlaced() {
  using Align = base::TextTable::Align;
  std::vector<Align> columns(3 + plugins_.size(), Align::kRight);
  columns[0] = columns[1] = Align::kLeft;
  base::TextTable table(std::move(columns));
  std::vector<std::string> head{"POD", "NODE", "TOTAL"};
  head.insert(head.end(), plugins_.begin(), plugins_.end());
  table.Add(std::move(head));
  for (const Placed& p : placed_) {
    std::vector<std::string> row{p.pod, p.node, p.scored ? std::to_string(p.total) : "-"};
    for (const std::string& plugin : plugins_) {
      auto it = p.scores.find(plugin);
      row.push_back(it == p.scores.end() ? "-" : std::to_string(it->second));
    }
    table.Add(std::move(row), {base::Color::kNone, style_.color ? base::Color::kGreen : base::Color::kNone});
  }
  table.Print(out_);
}

void TableResult::PrintPending() {
  if (!placed_.empty()) out_ << '\n';
  out_ << "PENDING\n";
  const base::Color color = style_.color ? base::Color::kYellow : base::Color::kNone;
  for (const std::string& pod : pending_order_) {
    const AttemptEntry& entry = pending_.at(pod);
    const std::string state = entry.result == "Unschedulable" ? "" : entry.result + ": ";
    out_ << base::Painted(pod, color) << '\n' << "    " << base::Wrap(state + entry.message, style_.width, 4) << '\n';
  }
}

}  // namespace berth::results
