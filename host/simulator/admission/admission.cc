#include "simulator/admission/admission.h"

#include "simulator/admission/defaults.h"
#include "simulator/admission/forbidden.h"

namespace berth::admission {
namespace {

using json::Value;

bool Tolerates(const Value& toleration, std::string_view key) {
  const std::string own_key = json::TextAt(toleration, "key"), effect = json::TextAt(toleration, "effect");
  return (own_key.empty() || own_key == key) && (effect.empty() || effect == "NoExecute");
}

// Adds tolerations of node.kubernetes.io/not-ready and unreachable for five minutes, unless the pod has some.
void AddDefaultTolerations(Value& spec) {
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    json::Array& tolerations = spec["tolerations"].mutable_array();
    bool said = false;
    for (const Value& toleration : tolerations) said = said || Tolerates(toleration, key);
    if (said) continue;
    tolerations.push_back(
        Value::MakeObject({{"key", key}, {"operator", "Exists"}, {"effect", "NoExecute"}, {"tolerationSeconds", 300}}));
  }
}

}  // namespace

bool Admission::Remember(const std::string& kind, const Value& object) {
  ByName* list = kind == "PriorityClass"  ? &priority_classes_
                 : kind == "RuntimeClass" ? &runtime_classes_
                 : kind == "LimitRange"   ? &limit_ranges_
                                          : nullptr;
  if (list == nullptr) return false;
  std::string name = json::TextAt(object, "metadata.name");
  if (list == &limit_ranges_) {
    const std::string ns = json::TextAt(object, "metadata.namespace");
    name = (ns.empty() ? "default" : ns) + "/" + name;
  }
  if (object.FindPath("metadata.deletionTimestamp") != nullptr) {
    list->erase(name);
  } else {
    list->insert_or_assign(name, object);
  }
  return true;
}

base::Result<void> Admission::Admit(Value& pod) const {
  ApplyLimitRanges(pod);
  if (auto done = AdmitPriority(pod); !done) return done;
  if (auto done = AdmitRuntimeClass(pod); !done) return done;
  AddDefaultTolerations(pod["spec"]);
  MergeMatchLabelKeys(pod);
  return CheckLimitRanges(pod);
}

base::Result<void> Admission::AdmitRuntimeClass(Value& pod) const {
  Value& spec = pod["spec"];
  const std::string name = json::TextAt(spec, "runtimeClassName");
  if (name.empty()) return {};
  auto it = runtime_classes_.find(name);
  if (it == runtime_classes_.end()) return Forbidden(pod, "pod rejected: RuntimeClass \"" + name + "\" not found");
  if (const Value* overhead = it->second.FindPath("overhead.podFixed")) {
    const Value* given = spec.Find("overhead");
    if (given != nullptr && !given->object().empty() && !(*given == *overhead)) {
      return Forbidden(pod, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    }
    spec.Set("overhead", Value(*overhead));
  }
  if (const Value* selector = it->second.FindPath("scheduling.nodeSelector")) {
    for (const auto& [key, value] : selector->object()) {
      const Value* given = spec["nodeSelector"].Find(key);
      if (given != nullptr && !(*given == value)) {
        return Forbidden(pod, "conflict: runtimeClass.scheduling.nodeSelector[" + key + "] = " + value.string() +
                                  "; pod.spec.nodeSelector[" + key + "] = " + given->string());
      }
      spec["nodeSelector"].Set(key, value);
    }
  }
  if (const Value* tolerations = it->second.FindPath("scheduling.tolerations")) {
    for (const Value& toleration : tolerations->array()) spec["tolerations"].Append(toleration);
  }
  return {};
}

}  // namespace berth::admission
