#include "simulator/admission/quantities.h"

#include <map>

namespace berth::admission {
namespace {

using Sums = std::map<std::string, base::Quantity>;

Sums RequestsOf(const json::Value& container) {
  Sums sums;
  const json::Value* requests = container.FindPath("resources.requests");
  if (requests == nullptr) return sums;
  for (const auto& [name, amount] : requests->object()) {
    if (const auto quantity = QuantityOf(amount)) sums.emplace(name, *quantity);
  }
  return sums;
}

void AddTo(Sums& sums, const Sums& more) {
  for (const auto& [name, quantity] : more) sums[name] += quantity;
}
void RaiseTo(Sums& sums, const Sums& floor) {
  for (const auto& [name, quantity] : floor) sums[name] = std::max(sums[name], quantity);
}

bool IsSidecar(const json::Value& container) {
  const json::Value* policy = container.Find("restartPolicy");
  return policy != nullptr && policy->string() == "Always";
}

const json::Array& ListOf(const json::Value& spec, std::string_view key) {
  static const json::Array kNone;
  const json::Value* list = spec.Find(key);
  return list == nullptr ? kNone : list->array();
}

}  // namespace

std::optional<base::Quantity> QuantityOf(const json::Value& value) {
  if (!value.is_string() && !value.is_number()) return std::nullopt;
  const auto quantity = base::Quantity::Parse(QuantityText(value));
  return quantity ? std::optional(*quantity) : std::nullopt;
}

std::string QuantityText(const json::Value& value) {
  if (value.is_int()) return std::to_string(value.integer());
  if (value.is_number()) return json::NumberText(value.number());
  return value.string();
}

json::Object AggregateRequests(const json::Value& pod_spec) {
  Sums sum, sidecars, peak;
  for (const json::Value& container : ListOf(pod_spec, "containers")) AddTo(sum, RequestsOf(container));
  for (const json::Value& container : ListOf(pod_spec, "initContainers")) {
    Sums requests = RequestsOf(container);
    if (IsSidecar(container)) {
      AddTo(sum, requests);
      AddTo(sidecars, requests);
      RaiseTo(peak, sidecars);
    } else {
      AddTo(requests, sidecars);
      RaiseTo(peak, requests);
    }
  }
  RaiseTo(sum, peak);
  json::Object out;
  for (const auto& [name, quantity] : sum) {
    const std::string text =
        name == "cpu" ? std::to_string(quantity.MilliValue()) + "m" : std::to_string(quantity.Value());
    out.emplace_back(name, json::Value(text));
  }
  return out;
}

}  // namespace berth::admission
