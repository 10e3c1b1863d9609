#include "simulator/simulation/node_metrics.h"

#include <utility>

#include "simulator/simulation/answers.h"

namespace berth::simulation {
namespace {

constexpr std::string_view kGroup = "metrics.k8s.io", kVersion = "v1beta1", kApiVersion = "metrics.k8s.io/v1beta1";

}  // namespace

bool NodeMetrics::IsKind(std::string_view api_version, std::string_view kind) {
  return api_version == kApiVersion && kind == "NodeMetrics";
}

bool NodeMetrics::IsRequested(const plugin::ApiRequest& request) {
  return request.verb == "GET" && request.group == kGroup && request.version == kVersion && request.resource == "nodes";
}

void NodeMetrics::Set(json::Value object) {
  std::string node = json::TextAt(object, "metadata.name");
  base::MutexLock lock(mutex_);
  by_node_.insert_or_assign(std::move(node), std::move(object));
}

void NodeMetrics::Remove(std::string_view node) {
  base::MutexLock lock(mutex_);
  if (const auto at = by_node_.find(node); at != by_node_.end()) by_node_.erase(at);
}

plugin::ApiAnswer NodeMetrics::Answer(const plugin::ApiRequest& request) const {
  base::MutexLock lock(mutex_);
  if (by_node_.empty()) return NoSuchResource();
  if (!request.name.empty()) {
    const auto at = by_node_.find(request.name);
    return at == by_node_.end() ? NotFound(request) : simulation::Answer(200, at->second);
  }
  json::Array items;
  for (const auto& [node, object] : by_node_) items.push_back(object);
  return simulation::Answer(200, json::Value::MakeObject({{"kind", "NodeMetricsList"},
                                                          {"apiVersion", std::string(kApiVersion)},
                                                          {"metadata", json::Value::MakeObject()},
                                                          {"items", json::Value(std::move(items))}}));
}

}  // namespace berth::simulation
