#include "scheduler/explain/decision_json.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <utility>

#include "codec/text/rfc3339.h"
#include "scheduler/framework/profile_times.h"

namespace berth::explain {
namespace {

using decisions::NodeTable;
using json::Value;

Value Micros(int64_t ns) { return Value(ns / 1000); }

void AppendInteger(std::string& out, int64_t number) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

// Calls append(row) for each examined row, with commas.
void AppendList(std::string& out, const std::vector<uint32_t>& rows, const std::function<void(uint32_t)>& append) {
  out += '[';
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i != 0) out += ',';
    append(rows[i]);
  }
  out += ']';
}

// value(row) of rows that passed; null for the others.
void AppendScores(std::string& out, const NodeTable& table, const std::vector<uint32_t>& rows,
                  const std::function<int64_t(uint32_t)>& value) {
  AppendList(out, rows, [&](uint32_t row) {
    if (table.scored() && table.Passed(row)) {
      AppendInteger(out, value(row));
    } else {
      out += "null";
    }
  });
}

Value RejectionsJson(const NodeTable& table) {
  json::Array out;
  for (const decisions::Rejection& one : table.rejections) {
    out.push_back(Value::MakeObject(
        {{"plugin", one.plugin}, {"code", plugin::CodeName(one.code)}, {"reasons", TextsJson(one.reasons)}}));
  }
  return Value(std::move(out));
}

void AppendNodes(std::string& out, const NodeTable& table) {
  const std::vector<uint32_t> rows = table.NamedRows();
  out += "{\"names\":";
  AppendList(out, rows, [&](uint32_t row) { json::AppendQuoted(out, table.NameOf(row)); });
  out += ",\"verdicts\":";
  AppendList(out, rows, [&](uint32_t row) { AppendInteger(out, table.verdicts.At(row)); });
  out += ",\"rejections\":" + json::Dump(RejectionsJson(table)) + ",\"scores\":[";
  for (size_t i = 0; i < table.scores.size(); ++i) {
    out += i == 0 ? "{\"plugin\":" : ",{\"plugin\":";
    json::AppendQuoted(out, table.scores[i].plugin);
    if (table.scores[i].weight != 0) out += ",\"weight\":" + std::to_string(table.scores[i].weight);
    out += ",\"values\":";
    AppendScores(out, table, rows, [&](uint32_t row) { return table.scores[i].weighted.At(row); });
    out += '}';
  }
  out += "],\"totals\":";
  AppendScores(out, table, rows, [&](uint32_t row) { return table.TotalOf(row); });
  out += '}';
}

Value GroupJson(const Group& group) {
  return Value::MakeObject({{"plugin", group.plugin},
                            {"code", plugin::CodeName(group.code)},
                            {"reason", group.reason},
                            {"nodes", static_cast<int64_t>(group.nodes)},
                            {"detail", group.detail},
                            {"examples", TextsJson(group.examples)}});
}

Value GroupsJson(const std::vector<Group>& groups) {
  Value out{json::Array()};
  for (const Group& group : groups) out.Append(GroupJson(group));
  return out;
}

Value OnNodeJson(const NodeAnswer& answer) {
  return Value::MakeObject({{"node", answer.node},
                            {"examined", answer.examined},
                            {"fits", answer.fits},
                            {"plugin", answer.plugin},
                            {"reasons", TextsJson(answer.reasons)}});
}

// Microseconds with one digit after the point, of the points that ran.
Value PointsJson(const decisions::Decision& d) {
  Value out{json::Object()};
  const auto add = [&](std::string_view point, double micros) {
    if (micros > 0) out.Set(point, std::round(micros * 10) / 10);
  };
  for (size_t i = 0; i < d.points.size(); ++i) {
    add(framework::LabelOf(static_cast<framework::TimedPoint>(i)), static_cast<double>(d.points[i]));
  }
  add("WaitOnPermit", static_cast<double>(d.permit_wait_ns) / 1000);
  return out;
}

Value VictimsJson(const decisions::Decision& d) {
  Value out{json::Array()};
  for (const decisions::Victim& one : d.victims) {
    out.Append(Value::MakeObject({{"pod", one.pod},
                                  {"priority", static_cast<int64_t>(one.priority)},
                                  {"plugin", one.plugin},
                                  {"reason", one.reason}}));
  }
  return out;
}

Value PluginsJson(const decisions::Decision& d) {
  Value out{json::Array()};
  if (d.plugins == nullptr) return out;
  for (const auto& [name, version] : *d.plugins) {
    out.Append(Value::MakeObject({{"name", name}, {"version", version}}));
  }
  return out;
}

// table: null if the decision has none.
std::string WithNodes(Value decision, const NodeTable* table) {
  std::string out = json::Dump(Versioned("Decision", std::move(decision)));
  if (table == nullptr) return out;
  out.back() = ',';
  out += "\"nodes\":";
  AppendNodes(out, *table);
  out += '}';
  return out;
}

void SetTime(Value& object, std::string_view key, int64_t unix_ns) {
  if (unix_ns != INT64_MIN) object.Set(key, text::MicroTimeText(unix_ns));
}

// Of the time before the attempt.
Value QueuedJson(const decisions::Decision& d) {
  Value out =
      Value::MakeObject({{"event", d.woken_by}, {"plugin", d.woken_for}, {"gated", static_cast<int64_t>(d.gated)}});
  SetTime(out, "added", d.added_unix_ns);
  SetTime(out, "woken", d.woken_unix_ns);
  if (!d.gate.empty()) out.Set("gate", d.gate);
  return out;
}

Value QueueJson(const QueueFacts& queue) {
  Value out = Value::MakeObject({{"where", queue.where},
                                 {"attempts", static_cast<int64_t>(queue.attempts)},
                                 {"waitsFor", TextsJson(queue.waits_for)}});
  SetTime(out, "added", queue.added_unix_ns);
  SetTime(out, "backoffUntil", queue.backoff_until_unix_ns);
  if (!queue.gate.empty()) out.Set("gate", queue.gate);
  return out;
}

}  // namespace

Value TextsJson(const std::vector<std::string>& texts) {
  json::Array out;
  for (const std::string& text : texts) out.emplace_back(text);
  return Value(std::move(out));
}

Value DecisionJson(const decisions::Decision& d) {
  return Value::MakeObject({{"id", static_cast<int64_t>(d.id)},
                            {"pod", d.pod},
                            {"uid", d.uid},
                            {"profile", d.profile},
                            {"generation", static_cast<int64_t>(d.generation)},
                            {"attempt", static_cast<int64_t>(d.attempt)},
                            {"started", text::MicroTimeText(d.started_unix_ns)},
                            {"cycleMicroseconds", Micros(d.cycle_ns)},
                            {"totalMicroseconds", Micros(d.total_ns)},
                            {"result", decisions::ResultName(d.result)},
                            {"node", d.node},
                            {"ties", static_cast<int64_t>(d.ties)},
                            {"evaluatedNodes", static_cast<int64_t>(d.evaluated_nodes)},
                            {"feasibleNodes", static_cast<int64_t>(d.feasible_nodes)},
                            {"message", d.message},
                            {"nominatedNode", d.nominated_node},
                            {"rejectedBy", TextsJson(d.rejected_by)},
                            {"victimCount", static_cast<int64_t>(d.n_victims)},
                            {"victims", VictimsJson(d)},
                            {"queued", QueuedJson(d)},
                            {"pointMicroseconds", PointsJson(d)},
                            {"withNodes", d.nodes != nullptr}});
}

std::string DecisionText(const decisions::Decision& decision) {
  Value value = DecisionJson(decision);
  value.Set("plugins", PluginsJson(decision));
  return WithNodes(std::move(value), decision.nodes.get());
}

std::string AttemptText(const Explanation& attempt) {
  Value value = DecisionJson(*attempt.decision);
  value.Set("summary", attempt.summary);
  value.Set("groups", GroupsJson(attempt.groups));
  value.Set("plugins", PluginsJson(*attempt.decision));
  return WithNodes(std::move(value), attempt.decision->nodes.get());
}

Value SuggestionsJson(const std::vector<Suggestion>& suggestions) {
  Value out{json::Array()};
  for (const Suggestion& one : suggestions) {
    out.Append(Value::MakeObject({{"change", one.change},
                                  {"patch", one.patch},
                                  {"deletes", TextsJson(one.deletes)},
                                  {"node", one.node},
                                  {"nodes", static_cast<int64_t>(one.nodes)}}));
  }
  return out;
}

Value ExplanationJson(const Explanation& e) {
  Value out = Value::MakeObject({{"pod", e.pod},
                                 {"profile", e.profile},
                                 {"state", StateName(e.state)},
                                 {"node", e.node},
                                 {"summary", e.summary},
                                 {"nodes", static_cast<int64_t>(e.n_nodes)},
                                 {"fittingNodes", static_cast<int64_t>(e.n_fitting)},
                                 {"groups", GroupsJson(e.groups)},
                                 {"suggestions", SuggestionsJson(e.suggestions)},
                                 {"searched", e.searched},
                                 {"queue", QueueJson(e.queue)},
                                 {"decision", e.decision == nullptr ? Value() : DecisionJson(*e.decision)}});
  if (e.decision_with_nodes != 0) out.Set("decisionWithNodes", static_cast<int64_t>(e.decision_with_nodes));
  if (!e.on_node.node.empty()) out.Set("onNode", OnNodeJson(e.on_node));
  return out;
}

Value Versioned(const char* kind, Value value) {
  json::Object members{{"apiVersion", "berth.dev/v1alpha1"}, {"kind", kind}};
  for (auto& member : value.mutable_object()) members.push_back(std::move(member));
  return Value(std::move(members));
}

}  // namespace berth::explain
