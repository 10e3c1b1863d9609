#include "cmd/berthctl/why/log_nodes.h"

#include <algorithm>
#include <map>
#include <string>

namespace berth::ctl {
namespace {

struct KnownNode {
  int64_t pods = 0;
  bool unschedulable = false;
};
using KnownNodes = std::map<std::string, KnownNode, std::less<>>;

void AddTable(const json::Value& decision, KnownNodes& nodes) {
  const json::Value* names = decision.FindPath("nodes.names");
  const json::Value* verdicts = decision.FindPath("nodes.verdicts");
  const json::Value* rejections = decision.FindPath("nodes.rejections");
  if (names == nullptr || verdicts == nullptr || rejections == nullptr) return;
  for (size_t i = 0; i < names->array().size(); ++i) {
    KnownNode& node = nodes[names->array()[i].string()];
    const int64_t verdict = i < verdicts->array().size() ? verdicts->array()[i].integer() : 0;
    if (verdict < 1 || static_cast<size_t>(verdict) > rejections->array().size()) continue;
    const json::Value& rejection = rejections->array()[static_cast<size_t>(verdict - 1)];
    node.unschedulable = json::TextAt(rejection, "plugin") == "NodeUnschedulable";
  }
}

}  // namespace

json::Value NodesOf(const LogIndex& index) {
  KnownNodes nodes;
  const auto& entries = index.entries();
  const auto newest = std::find_if(entries.rbegin(), entries.rend(), [](const auto& one) { return one.with_nodes; });
  if (newest != entries.rend()) AddTable(json::Parse(index.Line(*newest)).value_or(json::Value()), nodes);
  for (const LogIndex::Entry& one : entries) {
    if (one.result != decisions::Result::kScheduled) continue;
    KnownNode& node = nodes[std::string(index.Name(one.node))];
    if (index.IsLastOfPod(one)) ++node.pods;
  }
  json::Array names, pods, unschedulable;
  for (const auto& [name, node] : nodes) {
    names.emplace_back(name);
    pods.emplace_back(node.pods);
    unschedulable.emplace_back(node.unschedulable);
  }
  return json::Value::MakeObject({{"apiVersion", "berth.dev/v1alpha1"},
                                  {"kind", "NodeTable"},
                                  {"names", std::move(names)},
                                  {"pods", std::move(pods)},
                                  {"unschedulable", std::move(unschedulable)},
                                  {"allocatable", json::Object()},
                                  {"requested", json::Object()},
                                  {"labels", json::Object()},
                                  {"labelKeys", json::Array()}});
}

}  // namespace berth::ctl
