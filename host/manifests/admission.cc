#include "manifests/admission.h"

#include "manifests/defaults.h"

namespace berth::manifests {
namespace {

using json::Value;

std::string TextAt(const Value& object, std::string_view path) {
  const Value* found = object.FindPath(path);
  return found == nullptr ? "" : found->string();
}

tl::unexpected<base::Error> Forbidden(const Value& pod, const std::string& why) {
  return base::Fail("pods \"" + TextAt(pod, "metadata.name") + "\" is forbidden: " + why);
}

// The classes that every API server has.
bool BuiltInPriority(std::string_view name, int64_t& value) {
  if (name == "system-cluster-critical") value = 2'000'000'000;
  if (name == "system-node-critical") value = 2'000'001'000;
  return name == "system-cluster-critical" || name == "system-node-critical";
}

bool Tolerates(const Value& toleration, std::string_view key) {
  const std::string own_key = TextAt(toleration, "key"), effect = TextAt(toleration, "effect");
  return (own_key.empty() || own_key == key) && (effect.empty() || effect == "NoExecute");
}

// node.kubernetes.io/not-ready and unreachable for five minutes, unless the pod says something about them.
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
  std::string name = TextAt(object, "metadata.name");
  if (list == &limit_ranges_) {
    const std::string ns = TextAt(object, "metadata.namespace");
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

base::Result<void> Admission::AdmitPriority(Value& pod) const {
  Value& spec = pod["spec"];
  std::string name = TextAt(spec, "priorityClassName");
  const bool had_name = !name.empty();
  int64_t value = 0;
  if (!BuiltInPriority(name, value)) {
    const Value* chosen = nullptr;
    if (had_name) {
      auto it = priority_classes_.find(name);
      if (it == priority_classes_.end()) return Forbidden(pod, "no PriorityClass with name " + name + " was found");
      chosen = &it->second;
    } else {
      // Of several global defaults the lowest counts.
      for (const auto& [class_name, one] : priority_classes_) {
        const Value* global = one.Find("globalDefault");
        if (global == nullptr || !global->boolean()) continue;
        const Value* had = chosen == nullptr ? nullptr : chosen->Find("value");
        const Value* has = one.Find("value");
        if (had == nullptr || (has == nullptr ? 0 : has->integer()) < had->integer()) chosen = &one, name = class_name;
      }
    }
    if (chosen != nullptr) {
      const Value* number = chosen->Find("value");
      value = number == nullptr ? 0 : number->integer();
      if (const Value* policy = chosen->Find("preemptionPolicy");
          policy != nullptr && spec.Find("preemptionPolicy") == nullptr) {
        spec.Set("preemptionPolicy", Value(*policy));
      }
    }
  }
  const Value* given = spec.Find("priority");
  if (given != nullptr && !given->is_null()) {
    // A pod that comes with a number and no class keeps it: exports of other clusters have neither class nor uid.
    if (!had_name || given->integer() == value) return {};
    return Forbidden(pod, "the integer value of priority (" + std::to_string(given->integer()) +
                              ") must not be provided in pod spec; priority admission controller computed " +
                              std::to_string(value) + " from the given PriorityClass name");
  }
  if (!name.empty()) spec.Set("priorityClassName", name);
  spec.Set("priority", value);
  return {};
}

base::Result<void> Admission::AdmitRuntimeClass(Value& pod) const {
  Value& spec = pod["spec"];
  const std::string name = TextAt(spec, "runtimeClassName");
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

}  // namespace berth::manifests
