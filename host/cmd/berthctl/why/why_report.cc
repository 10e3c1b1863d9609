#include "cmd/berthctl/why/why_report.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "base/text_table.h"
#include "codec/text/harmless.h"

namespace berth::ctl {
namespace {

using json::Value;
using Align = base::TextTable::Align;

// Names and messages come from anybody: a terminal must not obey them.
using text::Harmless;

std::string Text(const Value& object, std::string_view path) {
  const Value* value = object.FindPath(path);
  if (value == nullptr) return "";
  return Harmless(value->is_number() ? json::NumberText(*value) : value->string());
}

bool IsTrue(const Value& object, std::string_view key) {
  const Value* value = object.Find(key);
  return value != nullptr && value->boolean();
}

const json::Array& List(const Value& object, std::string_view path) {
  static const json::Array kNone;
  const Value* value = object.FindPath(path);
  return value == nullptr ? kNone : value->array();
}

std::string JoinTexts(const json::Array& values, std::string_view separator) {
  std::vector<std::string> texts;
  for (const Value& value : values) texts.push_back(Harmless(value.string()));
  return base::Join(texts, separator);
}

void PrintGroups(std::ostream& out, const Value& explanation) {
  const json::Array& groups = List(explanation, "groups");
  if (groups.empty()) return;
  base::TextTable table({Align::kRight, Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft});
  table.Add({"NODES", "PLUGIN", "REASON", "DETAIL", "FOR EXAMPLE"});
  for (const Value& group : groups) {
    table.Add({Text(group, "nodes"), Text(group, "plugin"), Text(group, "reason"), Text(group, "detail"),
               JoinTexts(List(group, "examples"), ", ")});
  }
  out << '\n';
  table.Print(out);
}

void PrintSuggestions(std::ostream& out, const Value& explanation) {
  const json::Array& suggestions = List(explanation, "suggestions");
  if (IsTrue(explanation, "searched") && suggestions.empty()) {
    out << "\nNo change was found after which it would fit.\n";
  }
  if (suggestions.empty()) return;
  out << "\nIt would fit after one of these changes, each evaluated on the cluster as it is:\n";
  for (const Value& one : suggestions) {
    out << "  - " << Text(one, "change") << " (" << Text(one, "nodes")
        << (Text(one, "nodes") == "1" ? " node, " : " nodes, for example ") << Text(one, "node") << ")\n";
  }
}

void PrintOnNode(std::ostream& out, const Value& explanation) {
  const Value* answer = explanation.Find("onNode");
  if (answer == nullptr) return;
  const std::string node = Text(*answer, "node");
  if (!IsTrue(*answer, "examined")) {
    out << "\nNo plugin looked at " << node << ": the cluster has no such node, or the search ended before it.\n";
  } else if (IsTrue(*answer, "fits")) {
    out << "\nThe pod fits on " << node << ".\n";
  } else {
    out << '\n'
        << Text(*answer, "plugin") << " rejects " << node << ": " << JoinTexts(List(*answer, "reasons"), ", ") << ".\n";
  }
}

void PrintVictims(std::ostream& out, const Value& decision, size_t width) {
  const json::Array& victims = List(decision, "victims");
  if (victims.empty()) return;
  out << "    Evicts " << Text(decision, "victimCount") << " of the pods on " << Text(decision, "nominatedNode")
      << ":\n";
  for (const Value& victim : victims) {
    std::string line = "- " + Text(victim, "pod") + ", priority " + Text(victim, "priority");
    const std::string plugin = Text(victim, "plugin");
    if (!plugin.empty()) line += ": beside it, " + plugin + " rejects the pod (" + Text(victim, "reason") + ")";
    out << "    " << base::Wrap(line, width, 6) << '\n';
  }
}

// What started the attempt; "" for logs of releases that did not record it.
std::string Cause(const Value& decision) {
  const std::string event = Text(decision, "queued.event"), plugin = Text(decision, "queued.plugin");
  if (event.empty()) return "";
  std::string cause = "Started by the event " + event;
  if (!plugin.empty()) cause += ", which can change the answer of " + plugin;
  const std::string gate = Text(decision, "queued.gate");
  if (!gate.empty()) cause += "; before, PreEnqueue of " + gate + " kept the pod out of the queue";
  return cause + ".";
}

void PrintAttempt(std::ostream& out, const Value& explanation, size_t width) {
  const Value* decision = explanation.Find("decision");
  if (decision == nullptr || !decision->is_object()) return;
  out << "\nLast recorded attempt: number " << Text(*decision, "attempt") << ", decision " << Text(*decision, "id")
      << ", " << Text(*decision, "started") << ", profile " << Text(*decision, "profile") << ", policy generation "
      << Text(*decision, "generation") << ", " << Text(*decision, "cycleMicroseconds")
      << " us: " << Text(*decision, "result") << '\n';
  const std::string cause = Cause(*decision), message = Text(*decision, "message");
  if (!cause.empty()) out << "    " << base::Wrap(cause, width, 4) << '\n';
  if (!message.empty()) out << "    " << base::Wrap(message, width, 4) << '\n';
  PrintVictims(out, *decision, width);
}

// The columns of the nodes of a decision.
struct Nodes {
  explicit Nodes(const Value& decision)
      : names(List(decision, "nodes.names")),
        verdicts(List(decision, "nodes.verdicts")),
        rejections(List(decision, "nodes.rejections")),
        scores(List(decision, "nodes.scores")),
        totals(List(decision, "nodes.totals")) {}

  // Whether all lists have a value for each node.
  bool complete() const {
    const size_t n = names.size();
    return verdicts.size() == n && totals.size() == n &&
           std::all_of(scores.begin(), scores.end(),
                       [&](const Value& one) { return List(one, "values").size() == n; }) &&
           std::all_of(verdicts.begin(), verdicts.end(),
                       [&](const Value& one) { return one.integer() <= static_cast<int64_t>(rejections.size()); });
  }

  std::string Verdict(size_t i) const {
    const int64_t verdict = verdicts[i].integer();
    if (verdict < 0) return "not examined";
    if (verdict == 0) return "fits";
    const Value& rejection = rejections[static_cast<size_t>(verdict - 1)];
    return Text(rejection, "plugin") + ": " + JoinTexts(List(rejection, "reasons"), ", ");
  }
  std::string Total(size_t i) const { return totals[i].is_number() ? json::NumberText(totals[i]) : "-"; }
  const json::Array &names, &verdicts, &rejections, &scores, &totals;
};

std::vector<size_t> ByTotal(const Nodes& nodes) {
  std::vector<size_t> order(nodes.names.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (nodes.totals[a].is_number() != nodes.totals[b].is_number()) return nodes.totals[a].is_number();
    return nodes.totals[a].integer() > nodes.totals[b].integer();
  });
  return order;
}

}  // namespace

void PrintExplanation(std::ostream& out, const Value& explanation, size_t width) {
  out << "POD " << Text(explanation, "pod") << ": " << Text(explanation, "state") << '\n';
  out << "    " << base::Wrap(Text(explanation, "summary"), width, 4) << '\n';
  PrintGroups(out, explanation);
  PrintOnNode(out, explanation);
  PrintSuggestions(out, explanation);
  PrintAttempt(out, explanation, width);
}

void PrintNodes(std::ostream& out, const Value& decision) {
  const Nodes nodes(decision);
  if (!nodes.complete()) {
    out << "\nThe nodes of the decision are not complete.\n";
    return;
  }
  std::vector<Align> columns{Align::kLeft, Align::kRight};
  std::vector<std::string> head{"NODE", "TOTAL"};
  for (const Value& scores : nodes.scores) {
    head.push_back(Text(scores, "plugin"));
    columns.push_back(Align::kRight);
  }
  head.emplace_back("VERDICT");
  columns.push_back(Align::kLeft);
  base::TextTable table(std::move(columns));
  table.Add(std::move(head));
  for (size_t i : ByTotal(nodes)) {
    std::vector<std::string> cells{Harmless(nodes.names[i].string()), nodes.Total(i)};
    for (const Value& scores : nodes.scores) {
      const Value& score = List(scores, "values")[i];
      cells.push_back(score.is_number() ? json::NumberText(score) : "-");
    }
    cells.push_back(nodes.Verdict(i));
    table.Add(std::move(cells));
  }
  out << '\n';
  table.Print(out);
}

void PrintDifference(std::ostream& out, const Value& before, const Value& after) {
  for (const Value* one : {&before, &after}) {
    out << "decision " << Text(*one, "id") << ": " << Text(*one, "pod") << ", " << Text(*one, "result");
    if (!Text(*one, "node").empty()) out << " on " << Text(*one, "node");
    out << ", " << Text(*one, "feasibleNodes") << " of " << Text(*one, "evaluatedNodes") << " nodes fit, generation "
        << Text(*one, "generation") << '\n';
  }
  const Nodes old_nodes(before), new_nodes(after);
  if (!old_nodes.complete() || !new_nodes.complete()) {
    out << "The nodes of a decision are not complete.\n";
    return;
  }
  base::TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kLeft, Align::kLeft});
  table.Add({"NODE", "TOTAL", "THEN", "VERDICT", "THEN"});
  size_t differing = 0;
  const auto compare = [&](const std::string& name, std::optional<size_t> was, std::optional<size_t> is) {
    const std::string verdict = was ? old_nodes.Verdict(*was) : "no node", total = was ? old_nodes.Total(*was) : "-";
    const std::string verdict_then = is ? new_nodes.Verdict(*is) : "no node",
                      total_then = is ? new_nodes.Total(*is) : "-";
    if (verdict == verdict_then && total == total_then) return;
    ++differing;
    table.Add({Harmless(name), total, total_then, verdict, verdict_then});
  };
  std::map<std::string, size_t> old_rows;
  for (size_t i = 0; i < old_nodes.names.size(); ++i) old_rows[old_nodes.names[i].string()] = i;
  for (size_t i = 0; i < new_nodes.names.size(); ++i) {
    const std::string& name = new_nodes.names[i].string();
    const auto was = old_rows.find(name);
    compare(name, was == old_rows.end() ? std::nullopt : std::optional(was->second), i);
    if (was != old_rows.end()) old_rows.erase(was);
  }
  for (const auto& [name, row] : old_rows) compare(name, row, std::nullopt);
  out << differing << (differing == 1 ? " node differs\n" : " nodes differ\n");
  if (differing != 0) table.Print(out);
}

}  // namespace berth::ctl
