#include "simulate/result_table.h"

#include <algorithm>

namespace berth::simulate {
namespace {

constexpr const char* kGreen = "\x1b[32m";
constexpr const char* kYellow = "\x1b[33m";
constexpr const char* kReset = "\x1b[0m";

// Columns of UTF-8 text on a terminal, near enough for names: one per code point.
size_t Width(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string PadRight(std::string text, size_t width) {
  return text + std::string(width - std::min(width, Width(text)), ' ');
}
std::string PadLeft(std::string text, size_t width) {
  return std::string(width - std::min(width, Width(text)), ' ') + text;
}

}  // namespace

std::string Wrap(std::string_view text, size_t width, size_t indent) {
  std::string out;
  size_t column = indent;
  bool line_start = true;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line_start && column + 1 + Width(word) > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
      line_start = true;
    }
    if (!line_start) {
      out += ' ';
      ++column;
    }
    out += word;
    column += Width(word);
    line_start = false;
  }
  return out;
}

std::string TableResult::Painted(std::string_view text, const char* color) const {
  return style_.color ? color + std::string(text) + kReset : std::string(text);
}

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

void TableResult::Finish() {
  if (!placed_.empty()) PrintPlaced();
  if (!pending_order_.empty()) PrintPending();
  if (placed_.empty() && pending_order_.empty()) out_ << "No pods to schedule.\n";
}

void TableResult::PrintPlaced() {
  std::vector<std::vector<std::string>> rows{{"POD", "NODE", "TOTAL"}};
  rows[0].insert(rows[0].end(), plugins_.begin(), plugins_.end());
  for (const Placed& p : placed_) {
    std::vector<std::string>& row = rows.emplace_back();
    row = {p.pod, p.node, p.scored ? std::to_string(p.total) : "-"};
    for (const std::string& plugin : plugins_) {
      auto it = p.scores.find(plugin);
      row.push_back(it == p.scores.end() ? "-" : std::to_string(it->second));
    }
  }
  std::vector<size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows) {
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], Width(row[c]));
  }
  for (size_t r = 0; r < rows.size(); ++r) {
    std::string line = PadRight(rows[r][0], widths[0]) + "  ";
    const std::string node = PadRight(rows[r][1], widths[1]);
    line += r == 0 ? node : Painted(node, kGreen);
    for (size_t c = 2; c < rows[r].size(); ++c) line += "  " + PadLeft(rows[r][c], widths[c]);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out_ << line << '\n';
  }
}

void TableResult::PrintPending() {
  if (!placed_.empty()) out_ << '\n';
  out_ << "PENDING\n";
  for (const std::string& pod : pending_order_) {
    const AttemptEntry& entry = pending_.at(pod);
    const std::string state = entry.result == "Unschedulable" ? "" : entry.result + ": ";
    out_ << Painted(pod, kYellow) << '\n' << "    " << Wrap(state + entry.message, style_.width, 4) << '\n';
  }
}

}  // namespace berth::simulate
