// What the API server's admission does to a new pod, as far as scheduling sees it: PriorityClass, RuntimeClass,
// LimitRange, the default tolerations. Source: plugin/pkg/admission/{priority,runtimeclass,limitranger,
// defaulttolerationseconds} of Kubernetes 1.36. Thread: one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace berth::manifests {

class Admission {
 public:
  // Takes, replaces or (metadata.deletionTimestamp) removes a PriorityClass, RuntimeClass or LimitRange. false: the
  // object is of another kind.
  bool Remember(const std::string& kind, const json::Value& object);

  // pod has its defaults. The error reads as the API server's: `pods "x" is forbidden: ...`.
  base::Result<void> Admit(json::Value& pod) const;

 private:
  using ByName = std::map<std::string, json::Value, std::less<>>;

  // What a pod's class, or for want of one the default, says.
  struct Priority {
    std::string class_name;
    int64_t value;
    std::string policy;
  };

  base::Result<Priority> EstablishPriority(const json::Value& pod) const;
  base::Result<void> AdmitPriority(json::Value& pod) const;
  base::Result<void> AdmitRuntimeClass(json::Value& pod) const;
  void ApplyLimitRanges(json::Value& pod) const;
  base::Result<void> CheckLimitRanges(const json::Value& pod) const;
  std::vector<const json::Value*> ContainerLimits(const json::Value& pod) const;  // items of type Container

  ByName priority_classes_, runtime_classes_;
  ByName limit_ranges_;  // "namespace/name"
};

}  // namespace berth::manifests
