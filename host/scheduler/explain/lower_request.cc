#include "scheduler/explain/lower_request.h"

#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "api/encode/encode.h"
#include "api/resources.h"
#include "base/quantity.h"
#include "base/text.h"
#include "scheduler/explain/facts.h"

namespace berth::explain {
namespace {

using json::Value;

struct Decrease {
  std::string resource;
  int64_t amount = 0;  // millicores, bytes, or units
  int64_t requested = 0;
};

// What the pod requests above the free amount of the row.
std::vector<Decrease> DecreasesOn(const cache::Cache& cache, const api::RequestSums& requests, uint32_t row) {
  std::vector<Decrease> out;
  for (const berth_amount& request : requests.amounts) {
    const int64_t missing = request.value - FreeOn(cache, request.name, row);
    if (request.value <= 0 || missing <= 0) continue;
    out.push_back({std::string(cache.intern().ids.Text(request.name)), missing, request.value});
  }
  return out;
}

double CostOf(const std::vector<Decrease>& decreases) {
  double cost = 0;
  for (const Decrease& one : decreases) cost += static_cast<double>(one.amount) / static_cast<double>(one.requested);
  return cost;
}

std::vector<Decrease> CheapestDecreases(const cache::Cache& cache, const api::Pod& pod,
                                        const std::vector<Group>& groups) {
  const api::RequestSums& requests = *pod.resources->Accounted(cache.intern()).requested;
  std::vector<Decrease> best;
  double least = std::numeric_limits<double>::max();
  for (const Group& group : groups) {
    if (group.plugin != "NodeResourcesFit") continue;
    for (uint32_t row : group.rows) {
      if (row >= cache.capacity() || cache.node(row) == nullptr) continue;
      std::vector<Decrease> decreases = DecreasesOn(cache, requests, row);
      const double cost = CostOf(decreases);
      if (decreases.empty() || cost >= least) continue;
      least = cost;
      best = std::move(decreases);
    }
  }
  return best;
}

int64_t AmountOf(const Value& quantity, std::string_view resource) {
  const auto parsed = base::Quantity::Parse(quantity.string());
  if (!parsed) return 0;
  return resource == "cpu" ? parsed->MilliValue() : parsed->Value();
}

// The request of the pod level, or the greatest one of an application container; null: there is none.
Value* GreatestRequest(Value& pod, const std::string& resource) {
  const auto in = [&](Value& object) -> Value* {
    Value* requests = object.Find("resources") == nullptr ? nullptr : object.Find("resources")->Find("requests");
    return requests == nullptr ? nullptr : requests->Find(resource);
  };
  Value& spec = pod["spec"];
  if (Value* of_pod = in(spec)) return of_pod;
  Value* greatest = nullptr;
  for (Value& container : spec["containers"].mutable_array()) {
    Value* one = in(container);
    if (one != nullptr && (greatest == nullptr || AmountOf(*one, resource) > AmountOf(*greatest, resource))) {
      greatest = one;
    }
  }
  return greatest;
}

// The limit of an extended resource must equal its request; other limits only bound it from above.
void Lower(Value& pod, const std::vector<Decrease>& decreases) {
  for (const Decrease& one : decreases) {
    Value* request = GreatestRequest(pod, one.resource);
    if (request != nullptr) *request = AmountText(one.resource, AmountOf(*request, one.resource) - one.amount);
  }
}

bool Possible(const cache::Cache& cache, const api::Pod& pod, const std::vector<Decrease>& decreases) {
  Value manifest = encode::PodManifest(cache.intern(), pod);
  for (const Decrease& one : decreases) {
    const Value* request = GreatestRequest(manifest, one.resource);
    if (request == nullptr || AmountOf(*request, one.resource) <= one.amount) return false;
  }
  return !decreases.empty();
}

std::string ChangeText(const std::vector<Decrease>& decreases) {
  std::vector<std::string> parts;
  for (const Decrease& one : decreases) {
    parts.push_back(one.resource + " from " + AmountText(one.resource, one.requested) + " to " +
                    AmountText(one.resource, one.requested - one.amount));
  }
  return "lower its request for " + base::Join(parts, " and ");
}

}  // namespace

std::optional<PodEdit> LowerRequests(const cache::Cache& cache, const api::Pod& pod, const std::vector<Group>& groups) {
  std::vector<Decrease> decreases = CheapestDecreases(cache, pod, groups);
  if (!Possible(cache, pod, decreases)) return std::nullopt;
  std::string change = ChangeText(decreases);
  return PodEdit{std::move(change),
                 [decreases = std::move(decreases)](Value& manifest) { Lower(manifest, decreases); }};
}

}  // namespace berth::explain
