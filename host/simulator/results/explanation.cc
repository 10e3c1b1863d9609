#include "simulator/results/explanation.h"

#include <algorithm>

#include "api/taints_against.h"
#include "base/text.h"
#include "base/text_table.h"

namespace berth::results {
namespace {

using base::Color;
using Align = base::TextTable::Align;

api::TaintsAgainst TaintsOn(const std::string& node, const Facts& facts) {
  if (facts.pod == nullptr || !facts.node) return {};
  const api::NodeRef found = facts.node(node);
  return found ? api::FindTaintsAgainst(facts.intern, *facts.pod, *found) : api::TaintsAgainst{};
}

void AppendNote(std::string& text, std::string_view what, const std::vector<std::string>& taints) {
  if (taints.empty()) return;
  if (!text.empty()) text += "  ";
  text += "[" + std::string(what) + base::Join(taints, ", ") + "]";
}

void PrintHead(std::ostream& out, const Attempt& a, uint32_t number, const Style& style) {
  const Color color = a.result == "Scheduled" ? Color::kGreen : Color::kYellow;
  out << "POD " << a.pod << ", attempt " << number << ", profile " << a.profile << ": "
      << base::Painted(a.result, style.color ? color : Color::kNone);
  if (!a.node.empty()) out << " on " << a.node;
  if (a.ties > 1) out << " (one of " << a.ties << " nodes with the highest total)";
  out << '\n';
  if (!a.message.empty()) out << "    " << base::Wrap(a.message, style.width, 4) << '\n';
}

void PrintRejected(std::ostream& out, const Attempt& a, const Facts& facts, const Style& style) {
  base::TextTable table({Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft});
  table.Add({"NODE", "VERDICT", "PLUGIN", "WHY"});
  bool any = false;
  for (const cycle::NodeRecord& node : a.nodes) {
    if (node.verdict == plugin::Code::kSuccess) continue;
    any = true;
    std::string why = base::Join(node.reasons, ", ");
    AppendNote(why, "taint ", TaintsOn(node.name, facts).refusing);
    table.Add({node.name, plugin::CodeName(node.verdict), node.plugin, why},
              {Color::kNone, style.color ? Color::kRed : Color::kNone});
  }
  if (!any) return;
  out << '\n';
  table.Print(out);
}

// The scoring plugins, in the order of the nodes' records.
std::vector<std::string> Scorers(const Attempt& a) {
  std::vector<std::string> names;
  for (const cycle::NodeRecord& node : a.nodes) {
    for (const auto& [plugin, score] : node.scores) {
      if (std::find(names.begin(), names.end(), plugin) == names.end()) names.push_back(plugin);
    }
  }
  return names;
}

std::string ScoreCell(const cycle::NodeRecord& node, const std::string& plugin) {
  for (const auto& [name, score] : node.scores) {
    if (name == plugin) return std::to_string(score);
  }
  return "-";
}

void PrintFeasible(std::ostream& out, const Attempt& a, const Facts& facts, const Style& style) {
  std::vector<const cycle::NodeRecord*> feasible;
  for (const cycle::NodeRecord& node : a.nodes) {
    if (node.verdict == plugin::Code::kSuccess) feasible.push_back(&node);
  }
  if (feasible.empty()) return;
  std::stable_sort(feasible.begin(), feasible.end(), [](auto* x, auto* y) { return x->total > y->total; });
  const std::vector<std::string> scorers = Scorers(a);
  std::vector<Align> columns(2 + scorers.size(), Align::kRight);
  columns[0] = Align::kLeft;
  columns.push_back(Align::kLeft);
  base::TextTable table(std::move(columns));
  std::vector<std::string> head{"NODE", "TOTAL"};
  head.insert(head.end(), scorers.begin(), scorers.end());
  table.Add(std::move(head));
  for (const cycle::NodeRecord* node : feasible) {
    std::vector<std::string> cells{node->name, node->scores.empty() ? "-" : std::to_string(node->total)};
    for (const std::string& plugin : scorers) cells.push_back(ScoreCell(*node, plugin));
    std::string note;
    AppendNote(note, "prefers not: taint ", TaintsOn(node->name, facts).disliked);
    cells.push_back(note);
    const bool chosen = node->name == a.node;
    table.Add(std::move(cells), {style.color && chosen ? Color::kGreen : Color::kNone});
  }
  out << '\n';
  table.Print(out);
}

}  // namespace

void Print(std::ostream& out, const Attempt& attempt, uint32_t number, const Facts& facts, const Style& style) {
  PrintHead(out, attempt, number, style);
  PrintFeasible(out, attempt, facts, style);
  PrintRejected(out, attempt, facts, style);
  out << '\n';
}

}  // namespace berth::results
