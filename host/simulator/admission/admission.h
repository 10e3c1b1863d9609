// The admission of new pods as by the API server, as far as it concerns scheduling: PriorityClass, RuntimeClass,
// LimitRange, and default tolerations. Source: plugin/pkg/admission/{priority,runtimeclass,limitranger,
// defaulttolerationseconds} of Kubernetes 1.36. Thread: one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/json/value.h"

namespace berth::admission {

class Admission {
 public:
  // Adds, replaces, or (metadata.deletionTimestamp) removes a PriorityClass, RuntimeClass, or LimitRange. Returns false
  // if the object is of another kind.
  bool Remember(const std::string& kind, const json::Value& object);

  // The pod must have its defaults. The error has the API server's text: `pods "x" is forbidden: ...`.
  base::Result<void> Admit(json::Value& pod) const;

 private:
  using ByName = std::map<std::string, json::Value, std::less<>>;

  // The values of the pod's class or, if it names none, of the default class.
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

}  // namespace berth::admission
