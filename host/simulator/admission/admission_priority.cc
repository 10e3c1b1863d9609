// The Priority admission plugin. Source: plugin/pkg/admission/priority/admission.go,
// pkg/apis/scheduling/v1/defaults.go.
#include "simulator/admission/admission.h"
#include "simulator/admission/forbidden.h"

namespace berth::admission {
namespace {

using json::Value;

constexpr const char* kPreemptLower = "PreemptLowerPriority";

int64_t NumberAt(const Value& object, std::string_view key) {
  const Value* found = object.Find(key);
  return found == nullptr ? 0 : found->integer();
}

// The classes that exist in every cluster.
bool BuiltInPriority(std::string_view name, int64_t& value) {
  if (name == "system-cluster-critical") value = 2'000'000'000;
  if (name == "system-node-critical") value = 2'000'001'000;
  return name == "system-cluster-critical" || name == "system-node-critical";
}

tl::unexpected<base::Error> MustNotBeProvided(const Value& pod, const std::string& what, const std::string& given,
                                              const std::string& computed) {
  return Forbidden(pod, "the " + what + " (" + given +
                            ") must not be provided in pod spec; priority admission controller computed " + computed +
                            " from the given PriorityClass name");
}

}  // namespace

base::Result<Admission::Priority> Admission::EstablishPriority(const Value& pod) const {
  const Value* spec = pod.Find("spec");
  Priority priority{spec == nullptr ? "" : json::TextAt(*spec, "priorityClassName"), 0, kPreemptLower};
  if (BuiltInPriority(priority.class_name, priority.value)) return priority;
  const Value* chosen = nullptr;
  if (!priority.class_name.empty()) {
    const auto it = priority_classes_.find(priority.class_name);
    if (it == priority_classes_.end()) {
      return Forbidden(pod, "no PriorityClass with name " + priority.class_name + " was found");
    }
    chosen = &it->second;
  } else {
    // The lowest of several global defaults is used.
    for (const auto& [name, one] : priority_classes_) {
      const Value* global = one.Find("globalDefault");
      if (global == nullptr || !global->boolean()) continue;
      if (chosen == nullptr || NumberAt(one, "value") < NumberAt(*chosen, "value")) {
        chosen = &one, priority.class_name = name;
      }
    }
  }
  if (chosen == nullptr) return priority;
  priority.value = NumberAt(*chosen, "value");
  if (const std::string policy = json::TextAt(*chosen, "preemptionPolicy"); !policy.empty()) priority.policy = policy;
  return priority;
}

// A pod with a priority or a preemption policy but without a class keeps them: exports of other clusters have neither
// class nor uid.
base::Result<void> Admission::AdmitPriority(Value& pod) const {
  Value& spec = pod["spec"];
  const bool had_name = !json::TextAt(spec, "priorityClassName").empty();
  const auto priority = EstablishPriority(pod);
  if (!priority) return tl::unexpected(priority.error());
  const Value* number = spec.Find("priority");
  const bool has_number = number != nullptr && !number->is_null();
  if (has_number && had_name && number->integer() != priority->value) {
    return MustNotBeProvided(pod, "integer value of priority", std::to_string(number->integer()),
                             std::to_string(priority->value));
  }
  const std::string policy = json::TextAt(spec, "preemptionPolicy");
  if (had_name && !policy.empty() && policy != priority->policy) {
    return MustNotBeProvided(pod, "string value of PreemptionPolicy", policy, priority->policy);
  }
  if (policy.empty()) spec.Set("preemptionPolicy", priority->policy);
  if (has_number) return {};
  if (!priority->class_name.empty()) spec.Set("priorityClassName", priority->class_name);
  spec.Set("priority", priority->value);
  return {};
}

}  // namespace berth::admission
