#include "scheduler/explain/attempt_annotations.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "codec/json/value.h"

namespace berth::explain {
namespace {

using decisions::NodeTable;
using json::Value;

// Plugin -> "passed", or the reasons of the one that rejected the node.
Value FilterResults(const AnnotatedAttempt& attempt, uint32_t row) {
  if (const decisions::Rejection* rejection = attempt.table->RejectionOf(row)) {
    return Value::MakeObject({{rejection->plugin, base::Join(rejection->reasons, ", ")}});
  }
  Value results{json::Object()};
  for (const std::string& plugin : attempt.filters) results.Set(plugin, "passed");
  return results;
}

// Plugin -> normalized score x weight, as text.
Value FinalScores(const NodeTable& table, uint32_t row) {
  Value scores{json::Object()};
  for (const NodeTable::Scores& one : table.scores) scores.Set(one.plugin, std::to_string(one.weighted.At(row)));
  return scores;
}

// A JSON object of nodes that stays below a number of bytes.
class NodeObject {
 public:
  static std::string EntryOf(std::string_view node, const Value& value) {
    std::string entry;
    json::AppendQuoted(entry, node);
    return entry + ":" + json::Dump(value);
  }
  void Add(const std::string& entry) { text_ += (text_.size() == 1 ? "" : ",") + entry; }
  size_t size() const { return text_.size() + 1; }
  std::string Text() && { return std::move(text_) + "}"; }

 private:
  std::string text_ = "{";
};

std::vector<uint32_t> PassedRows(const NodeTable& table) {
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < table.n_rows(); ++row) {
    if (table.Passed(row) && !table.NameOf(row).empty()) rows.push_back(row);
  }
  if (table.scored()) {
    std::stable_sort(rows.begin(), rows.end(),
                     [&](uint32_t a, uint32_t b) { return table.TotalOf(a) > table.TotalOf(b); });
  }
  return rows;
}

// First those that show a rejection for the first time.
std::pair<std::vector<uint32_t>, std::vector<uint32_t>> RejectedRows(const NodeTable& table) {
  std::pair<std::vector<uint32_t>, std::vector<uint32_t>> rows;
  std::set<const decisions::Rejection*> shown;
  for (uint32_t row = 0; row < table.n_rows(); ++row) {
    const decisions::Rejection* rejection = table.RejectionOf(row);
    if (rejection == nullptr || table.NameOf(row).empty()) continue;
    (shown.insert(rejection).second ? rows.first : rows.second).push_back(row);
  }
  return rows;
}

std::string KeyOf(std::string_view name) { return std::string(kAnnotationPrefix).append(name); }

}  // namespace

std::vector<uint32_t> AnnotatedRows(const NodeTable& table, std::string_view node, size_t most) {
  std::vector<uint32_t> rows;
  const auto take = [&](const std::vector<uint32_t>& from, size_t up_to) {
    for (size_t i = 0; i < from.size() && rows.size() < up_to; ++i) {
      if (std::find(rows.begin(), rows.end(), from[i]) == rows.end()) rows.push_back(from[i]);
    }
  };
  const auto [examples, more] = RejectedRows(table);
  if (const uint32_t own = table.Find(node); own != table.n_rows()) take({own}, most);
  take(examples, most / 2);
  take(PassedRows(table), most);
  take(examples, most);
  take(more, most);
  std::sort(rows.begin(), rows.end(), [&](uint32_t a, uint32_t b) { return table.NameOf(a) < table.NameOf(b); });
  return rows;
}

engine::Annotations AnnotationsOf(const AnnotatedAttempt& attempt) {
  engine::Annotations out{{KeyOf("filter-result"), std::nullopt},
                          {KeyOf("finalscore-result"), std::nullopt},
                          {KeyOf("selected-node"), attempt.node}};
  if (attempt.table == nullptr) return out;
  NodeObject filter, scores;
  size_t bytes = attempt.node.size() + filter.size() + scores.size();
  for (const auto& [key, value] : out) bytes += key.size();
  for (uint32_t row : AnnotatedRows(*attempt.table, attempt.node, kMaxAnnotatedNodes)) {
    const std::string_view name = attempt.table->NameOf(row);
    const std::string filtered = NodeObject::EntryOf(name, FilterResults(attempt, row));
    const bool scored = attempt.table->scored() && attempt.table->Passed(row);
    const std::string score = scored ? NodeObject::EntryOf(name, FinalScores(*attempt.table, row)) : "";
    if (bytes + filtered.size() + score.size() + 2 > kMaxAnnotationBytes) continue;
    bytes += filtered.size() + score.size() + 2;
    filter.Add(filtered);
    if (scored) scores.Add(score);
  }
  out[0].second = std::move(filter).Text();
  out[1].second = std::move(scores).Text();
  return out;
}

engine::MakeAnnotations AttemptAnnotations::After(const framework::Profile& profile,
                                                  std::shared_ptr<const NodeTable> table, std::string_view node) {
  if (table == nullptr && node.empty()) return {};
  AnnotatedAttempt attempt{.table = std::move(table), .node = std::string(node)};
  for (const plugin::Instance* plugin : profile.At(plugin::Point::kFilter)) attempt.filters.push_back(plugin->name());
  return [attempt = std::move(attempt)] { return AnnotationsOf(attempt); };
}

}  // namespace berth::explain
