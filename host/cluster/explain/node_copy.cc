#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "cluster/explain/cluster_facts.h"
#include "codec/json/value.h"
#include "scheduler/explain/decision_json.h"
#include "scheduler/explain/facts.h"

namespace berth::explain {
namespace {

constexpr size_t kMaxLabelKeys = 50;

int64_t AllocatableOn(const api::Node& node, base::Id resource) {
  for (const berth_amount& amount : node.allocatable) {
    if (amount.name == resource) return amount.value;
  }
  return 0;
}

// The most frequent label keys; equal ones by name.
std::vector<std::string> LabelKeys(const std::vector<NodeCopy>& nodes, const api::InternTables& intern) {
  std::unordered_map<base::Id, size_t> counts;
  for (const NodeCopy& one : nodes) {
    const berth_list& labels = one.node->abi.labels->items;
    for (uint32_t i = 0; i < labels.n; ++i) ++counts[BERTH_AT(labels, berth_kv, i)->key];
  }
  std::vector<std::pair<size_t, std::string>> keys;
  for (const auto& [key, n] : counts) keys.emplace_back(n, intern.ids.Text(key));
  std::sort(keys.begin(), keys.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  if (keys.size() > kMaxLabelKeys) keys.resize(kMaxLabelKeys);
  std::vector<std::string> names;
  for (auto& [n, key] : keys) names.push_back(std::move(key));
  return names;
}

std::optional<base::Id> LabelOf(const api::Node& node, base::Id key) {
  const berth_list& labels = node.abi.labels->items;
  for (uint32_t i = 0; i < labels.n; ++i) {
    const berth_kv& label = *BERTH_AT(labels, berth_kv, i);
    if (label.key == key) return label.value;
  }
  return std::nullopt;
}

class Writer {
 public:
  explicit Writer(const std::vector<NodeCopy>& nodes) : nodes_(nodes) {}

  void Member(std::string_view key, const std::function<void(const NodeCopy&)>& append) {
    Key(key);
    out_ += '[';
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (i != 0) out_ += ',';
      append(nodes_[i]);
    }
    out_ += ']';
  }
  void Key(std::string_view key) {
    if (out_.back() != '{') out_ += ',';
    json::AppendQuoted(out_, key);
    out_ += ':';
  }
  std::string& out() { return out_; }

 private:
  const std::vector<NodeCopy>& nodes_;
  std::string out_ = "{";
};

void AppendResources(Writer& writer, std::string_view key, int64_t (NodeCopy::*amounts)[3]) {
  writer.Key(key);
  writer.out() += '{';
  for (size_t i = 0; i < 3; ++i) {
    writer.Member(kResources[i], [&](const NodeCopy& one) { writer.out() += std::to_string((one.*amounts)[i]); });
  }
  writer.out() += '}';
}

void AppendLabels(Writer& writer, const api::InternTables& intern, const std::vector<std::string>& labels) {
  writer.Key("labels");
  writer.out() += '{';
  for (const std::string& label : labels) {
    const base::Id key = intern.ids.Find(label);
    writer.Member(label, [&](const NodeCopy& one) {
      const std::optional<base::Id> value = key == base::kNoId ? std::nullopt : LabelOf(*one.node, key);
      if (value) {
        json::AppendQuoted(writer.out(), intern.ids.Text(*value));
      } else {
        writer.out() += "null";
      }
    });
  }
  writer.out() += '}';
}

}  // namespace

std::vector<NodeCopy> CopyNodes(engine::Engine& engine, const api::InternTables& intern) {
  cache::Cache& cache = engine.cache();
  base::Id ids[3];
  std::vector<FreeColumn> free;
  for (size_t i = 0; i < 3; ++i) {
    ids[i] = intern.ids.Find(kResources[i]);
    free.emplace_back(cache, ids[i]);
  }
  std::vector<NodeCopy> nodes;
  nodes.reserve(cache.n_nodes());
  for (uint32_t row : cache.order()) {
    NodeCopy& one = nodes.emplace_back(NodeCopy{.node = api::NodeRef(cache.node(row))});
    one.pods = static_cast<int64_t>(cache.pods(row).size());
    for (size_t i = 0; i < 3; ++i) {
      one.allocatable[i] = AllocatableOn(*one.node, ids[i]);
      one.requested[i] = i == 2 ? one.pods : one.allocatable[i] - free[i].At(row);
    }
  }
  return nodes;
}

std::string NodesText(const std::vector<NodeCopy>& nodes, const api::InternTables& intern,
                      const std::vector<std::string>& labels) {
  Writer writer(nodes);
  writer.Key("apiVersion");
  writer.out() += "\"berth.dev/v1alpha1\"";
  writer.Key("kind");
  writer.out() += "\"NodeTable\"";
  writer.Member("names", [&](const NodeCopy& one) { json::AppendQuoted(writer.out(), one.node->name); });
  writer.Member("pods", [&](const NodeCopy& one) { writer.out() += std::to_string(one.pods); });
  writer.Member("unschedulable",
                [&](const NodeCopy& one) { writer.out() += one.node->abi.unschedulable != 0 ? "true" : "false"; });
  AppendResources(writer, "allocatable", &NodeCopy::allocatable);
  AppendResources(writer, "requested", &NodeCopy::requested);
  AppendLabels(writer, intern, labels);
  writer.Key("labelKeys");
  writer.out() += json::Dump(TextsJson(LabelKeys(nodes, intern))) + "}";
  return std::move(writer.out());
}

}  // namespace berth::explain
