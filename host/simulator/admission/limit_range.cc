// LimitRange: defaults for containers, then minimums and maximums. Source:
// plugin/pkg/admission/limitranger/admission.go.
#include "simulator/admission/admission.h"
#include "simulator/admission/forbidden.h"
#include "simulator/admission/quantities.h"

namespace berth::admission {
namespace {

using json::Value;

constexpr const char* kContainerLists[] = {"initContainers", "containers"};

// The API server's own defaults: limits from max, and requests from limits, then from min.
struct ContainerDefaults {
  json::Object limits, requests;
};

const Value* Member(const json::Object& object, std::string_view name) {
  for (const auto& [key, value] : object) {
    if (key == name) return &value;
  }
  return nullptr;
}

void Fill(json::Object& into, const Value* from) {
  if (from == nullptr) return;
  for (const auto& [name, amount] : from->object()) {
    if (Member(into, name) == nullptr) into.emplace_back(name, amount);
  }
}

ContainerDefaults DefaultsOf(const Value& item) {
  ContainerDefaults defaults;
  Fill(defaults.limits, item.Find("default"));
  Fill(defaults.limits, item.Find("max"));
  Fill(defaults.requests, item.Find("defaultRequest"));
  const Value limits(defaults.limits);
  Fill(defaults.requests, &limits);
  Fill(defaults.requests, item.Find("min"));
  return defaults;
}

void FillMissing(Value& container, const char* list, const json::Object& defaults) {
  for (const auto& [name, amount] : defaults) {
    Value& amounts = container["resources"][list];
    if (amounts.Find(name) == nullptr) amounts.Set(name, amount);
  }
}

// Checks one container against one item; empty: no violation.
std::string Violation(const Value& item, const Value& container) {
  const auto amount = [&](const char* list, const std::string& name) -> const Value* {
    const Value* amounts = container.FindPath(std::string("resources.") + list);
    return amounts == nullptr ? nullptr : amounts->Find(name);
  };
  if (const Value* min = item.Find("min")) {
    for (const auto& [name, bound] : min->object()) {
      const Value* request = amount("requests", name);
      if (request == nullptr) {
        return "minimum " + name + " usage per Container is " + QuantityText(bound) + ".  No request is specified";
      }
      if (QuantityOf(*request) < QuantityOf(bound)) {
        return "minimum " + name + " usage per Container is " + QuantityText(bound) + ", but request is " +
               QuantityText(*request);
      }
    }
  }
  if (const Value* max = item.Find("max")) {
    for (const auto& [name, bound] : max->object()) {
      const Value* limit = amount("limits", name);
      if (limit == nullptr) {
        return "maximum " + name + " usage per Container is " + QuantityText(bound) + ".  No limit is specified";
      }
      if (QuantityOf(*limit) > QuantityOf(bound)) {
        return "maximum " + name + " usage per Container is " + QuantityText(bound) + ", but limit is " +
               QuantityText(*limit);
      }
    }
  }
  return "";
}

}  // namespace

std::vector<const Value*> Admission::ContainerLimits(const Value& pod) const {
  std::vector<const Value*> items;
  const Value* ns = pod.FindPath("metadata.namespace");
  const std::string prefix = (ns == nullptr ? "default" : ns->string()) + "/";
  for (const auto& [key, range] : limit_ranges_) {
    const Value* limits = range.FindPath("spec.limits");
    if (!key.starts_with(prefix) || limits == nullptr) continue;
    for (const Value& item : limits->array()) {
      const Value* type = item.Find("type");
      if (type != nullptr && type->string() == "Container") items.push_back(&item);
    }
  }
  return items;
}

void Admission::ApplyLimitRanges(Value& pod) const {
  for (const Value* item : ContainerLimits(pod)) {
    const ContainerDefaults defaults = DefaultsOf(*item);
    for (const char* list : kContainerLists) {
      Value* containers = pod["spec"].Find(list);
      if (containers == nullptr || !containers->is_array()) continue;
      for (Value& container : containers->mutable_array()) {
        FillMissing(container, "limits", defaults.limits);
        FillMissing(container, "requests", defaults.requests);
      }
    }
  }
}

base::Result<void> Admission::CheckLimitRanges(const Value& pod) const {
  for (const Value* item : ContainerLimits(pod)) {
    for (const char* list : kContainerLists) {
      const Value* containers = pod.Find("spec")->Find(list);
      if (containers == nullptr) continue;
      for (const Value& container : containers->array()) {
        const std::string violation = Violation(*item, container);
        if (!violation.empty()) return Forbidden(pod, violation);
      }
    }
  }
  return {};
}

}  // namespace berth::admission
