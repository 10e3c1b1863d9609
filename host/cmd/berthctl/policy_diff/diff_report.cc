#include "cmd/berthctl/policy_diff/diff_report.h"

#include <array>
#include <cstdio>
#include <map>
#include <string>

#include "base/text_table.h"
#include "codec/text/harmless.h"

namespace berth::ctl {
namespace {

using json::Value;
using Align = base::TextTable::Align;

// Names come from anybody: a terminal must not obey them.
std::string Shown(const Value& object, std::string_view path) {
  const Value* value = object.FindPath(path);
  if (value == nullptr || value->is_null()) return "-";
  std::string shown = text::Harmless(value->is_number() ? json::NumberText(*value) : value->string());
  return shown.empty() ? "-" : shown;
}

int64_t Count(const Value& diff, std::string_view path) {
  const Value* value = diff.FindPath(path);
  return value == nullptr ? 0 : value->integer();
}

const json::Array& List(const Value& object, std::string_view path) {
  static const json::Array kNone;
  const Value* value = object.FindPath(path);
  return value == nullptr ? kNone : value->array();
}

bool Equal(const Value& plugin, std::string_view before, std::string_view after) {
  const Value *was = plugin.Find(before), *is = plugin.Find(after);
  return was == nullptr || is == nullptr || *was == *is;
}

void PrintChange(std::ostream& out, const Value& diff) {
  bool changed = false;
  for (const Value& plugin : List(diff, "plugins")) {
    if (!Equal(plugin, "weight", "newWeight")) {
      const std::string weight = Shown(plugin, "newWeight");
      out << "  " << Shown(plugin, "plugin") << ": "
          << (weight == "-" ? "no longer scores" : "weight " + Shown(plugin, "weight") + " -> " + weight) << '\n';
      changed = true;
    }
    if (!Equal(plugin, "filter", "newFilter")) {
      out << "  " << Shown(plugin, "plugin") << ": no longer filters\n";
      changed = true;
    }
  }
  if (!changed && diff.Find("plugins") != nullptr) out << "  no plugin or weight differs\n";
}

std::string Pods(int64_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

void PrintCounts(std::ostream& out, const Value& diff) {
  const bool recorded = diff.Find("plugins") != nullptr;
  const int64_t moving = Count(diff, "decisions.moving");
  out << (recorded ? Pods(Count(diff, "decisions.lookedAt"), "decision", "decisions")
                   : Pods(Count(diff, "decisions.lookedAt"), "pod", "pods"))
      << ": " << Pods(moving, "pod moves", "pods move") << ", " << Count(diff, "decisions.unchanged") << " unchanged";
  if (const int64_t tied = Count(diff, "decisions.tied")) out << " (" << tied << " of them after a tie)";
  if (const int64_t n = Count(diff, "decisions.notExact")) out << ", " << n << " not exact";
  out << '\n';
  if (const int64_t n = Count(diff, "decisions.withoutNodes")) {
    out << Pods(n, "decision has", "decisions have") << " no recorded nodes\n";
  }
  if (const int64_t n = Count(diff, "decisions.otherGenerations")) {
    out << Pods(n, "decision is", "decisions are") << " left out: another generation of the policy decided\n";
  }
}

std::string Percent(const Value& diff, const std::string& path) {
  const Value* value = diff.FindPath(path);
  if (value == nullptr) return "-";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f%%", value->number() * 100);
  return text.data();
}

void PrintFigures(std::ostream& out, const Value& diff) {
  base::TextTable table({Align::kLeft, Align::kRight, Align::kRight});
  table.Add({"", "BEFORE", "AFTER"});
  const auto row = [&](const std::string& title, auto&& cell) { table.Add({title, cell("before"), cell("after")}); };
  row("nodes used", [&](const std::string& side) { return Shown(diff, side + ".nodesUsed"); });
  row("most pods on a node", [&](const std::string& side) { return Shown(diff, side + ".mostPodsOnANode"); });
  std::map<std::string, std::map<std::string, std::string>> zones;
  for (const std::string side : {"before", "after"}) {
    for (const Value& zone : List(diff, side + ".zones")) zones[Shown(zone, "zone")][side] = Shown(zone, "pods");
  }
  for (auto& [zone, pods] : zones) {
    row(zone == "-" ? "pods without a zone" : "pods in zone " + zone,
        [&pods = pods](const std::string& side) { return pods.contains(side) ? pods[side] : std::string("0"); });
  }
  for (const std::string resource : {"cpu", "memory"}) {
    if (diff.FindPath("after." + resource) == nullptr) continue;
    row(resource + " requested, mean",
        [&](const std::string& side) { return Percent(diff, side + "." + resource + ".mean"); });
    row(resource + " requested, deviation",
        [&](const std::string& side) { return Percent(diff, side + "." + resource + ".deviation"); });
  }
  out << '\n';
  table.Print(out);
  if (const int64_t n = Count(diff, "after.podsWithoutRequests")) {
    out << "The requests of " << Pods(n, "pod are", "pods are") << " not known any more, and count as 0.\n";
  }
}

void PrintMoves(std::ostream& out, const Value& diff) {
  const json::Array& moves = List(diff, "moves");
  if (moves.empty()) return;
  const bool totals = moves[0].Find("toTotal") != nullptr;
  std::vector<Align> columns(3, Align::kLeft);
  std::vector<std::string> head{"POD", "FROM", "TO"};
  if (totals) {
    columns.insert(columns.end(), {Align::kRight, Align::kRight, Align::kRight, Align::kRight});
    head.insert(head.end(), {"TOTAL OF FROM", "THEN", "TOTAL OF TO", "THEN"});
  }
  base::TextTable table(std::move(columns));
  table.Add(std::move(head));
  for (const Value& move : moves) {
    std::vector<std::string> cells{Shown(move, "pod"), Shown(move, "from"), Shown(move, "to")};
    for (const char* path : {"fromTotal.before", "fromTotal.after", "toTotal.before", "toTotal.after"}) {
      if (totals) cells.push_back(Shown(move, path));
    }
    table.Add(std::move(cells));
  }
  out << '\n';
  table.Print(out);
}

void PrintInexact(std::ostream& out, const Value& diff) {
  const json::Array& inexact = List(diff, "notExact");
  if (inexact.empty()) return;
  base::TextTable table({Align::kLeft, Align::kLeft, Align::kRight});
  table.Add({"NOT EXACT", "NODE", "UNKNOWN NODES"});
  for (const Value& one : inexact) table.Add({Shown(one, "pod"), Shown(one, "from"), Shown(one, "unknownNodes")});
  out << '\n';
  table.Print(out);
  out << "Only a filter that is left out rejected the unknown nodes, so no other plugin examined them.\n";
}

}  // namespace

bool LooksAtSomething(const Value& diff) { return Count(diff, "decisions.lookedAt") != 0; }

bool MayMove(const Value& diff) {
  return Count(diff, "decisions.moving") != 0 || Count(diff, "decisions.notExact") != 0;
}

void PrintDiff(std::ostream& out, const Value& diff) {
  if (diff.Find("profile") != nullptr) out << "profile \"" << Shown(diff, "profile") << "\"\n";
  PrintChange(out, diff);
  PrintCounts(out, diff);
  PrintFigures(out, diff);
  PrintMoves(out, diff);
  PrintInexact(out, diff);
  out << '\n' << Shown(diff, "note") << '\n';
}

}  // namespace berth::ctl
