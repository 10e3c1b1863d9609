// The simulated metrics API: metrics.k8s.io/v1beta1, nodes. It answers with the NodeMetrics of the manifests, which
// `kubectl get nodes.metrics.k8s.io -o yaml` writes. Thread: any. Source: k8s.io/metrics pkg/apis/metrics/v1beta1.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/thread_annotations.h"
#include "codec/json/value.h"
#include "plugin/instance/ports.h"

namespace berth::simulation {

class NodeMetrics {
 public:
  static bool IsKind(std::string_view api_version, std::string_view kind);
  static bool IsRequested(const plugin::ApiRequest& request);

  void Set(json::Value object);  // replaces the one of the same name
  void Remove(std::string_view node);
  // A list, or the NodeMetrics of one node. Without any NodeMetrics, the cluster has no metrics API: NotFound.
  plugin::ApiAnswer Answer(const plugin::ApiRequest& request) const;

 private:
  mutable base::Mutex mutex_;
  std::map<std::string, json::Value, std::less<>> by_node_ GUARDED_BY(mutex_);
};

}  // namespace berth::simulation
