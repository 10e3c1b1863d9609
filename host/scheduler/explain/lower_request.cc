#include "scheduler/explain/lower_request.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>

#include "api/encode/encode.h"
#include "api/resources.h"
#include "base/bitmap.h"
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

struct Wanted {
  std::string resource;
  int64_t requested = 0;
  FreeColumn free;
};

// Whether a node is rejected because it lacks the resource. A profile can ignore resources.
bool IsLacked(const std::vector<Group>& groups, std::string_view resource) {
  const std::string reason = "Insufficient " + std::string(resource);
  return std::any_of(groups.begin(), groups.end(),
                     [&](const Group& group) { return group.plugin == "NodeResourcesFit" && group.reason == reason; });
}

std::vector<Wanted> WantedBy(engine::Engine& engine, const api::Pod& pod, const std::vector<Group>& groups) {
  const cache::Cache& cache = engine.cache();
  std::vector<Wanted> wanted;
  for (const berth_amount& request : pod.resources().Accounted(cache.intern()).requested->amounts) {
    const std::string_view resource = cache.intern().ids.Text(request.name);
    if (request.value <= 0 || !IsLacked(groups, resource)) continue;
    wanted.push_back({std::string(resource), request.value, FreeFor(engine.view(), pod, request.name)});
  }
  return wanted;
}

// What the pod requests above the free amounts of the row, relative to its requests.
double CostOn(const std::vector<Wanted>& wanted, uint32_t row) {
  double cost = 0;
  for (const Wanted& one : wanted) {
    const int64_t missing = one.requested - one.free.At(row);
    if (missing > 0) cost += static_cast<double>(missing) / static_cast<double>(one.requested);
  }
  return cost;
}

// Each row once, although it may be in a group for each resource. nullopt: no row lacks a resource.
std::optional<uint32_t> CheapestRow(const cache::Cache& cache, const std::vector<Wanted>& wanted,
                                    const std::vector<Group>& groups) {
  base::Bitmap rows(cache.capacity());
  for (const Group& group : groups) {
    if (group.plugin != "NodeResourcesFit") continue;
    for (uint32_t row : group.rows) {
      if (row < cache.capacity() && cache.node(row) != nullptr) rows.Set(row);
    }
  }
  std::optional<uint32_t> best;
  double least = std::numeric_limits<double>::max();
  rows.ForEach([&](uint32_t row) {
    const double cost = CostOn(wanted, row);
    if (cost <= 0 || cost >= least) return;
    least = cost;
    best = row;
  });
  return best;
}

std::vector<Decrease> CheapestDecreases(engine::Engine& engine, const api::Pod& pod, const std::vector<Group>& groups) {
  const std::vector<Wanted> wanted = WantedBy(engine, pod, groups);
  const std::optional<uint32_t> row = CheapestRow(engine.cache(), wanted, groups);
  std::vector<Decrease> decreases;
  for (size_t i = 0; row && i < wanted.size(); ++i) {
    const int64_t missing = wanted[i].requested - wanted[i].free.At(*row);
    if (missing > 0) decreases.push_back({wanted[i].resource, missing, wanted[i].requested});
  }
  return decreases;
}

Path Below(Path path, std::initializer_list<std::string> more) {
  path.insert(path.end(), more);
  return path;
}

int64_t AmountOf(const Value& quantity, std::string_view resource) {
  const auto parsed = base::Quantity::Parse(quantity.string());
  if (!parsed) return 0;
  return resource == "cpu" ? parsed->MilliValue() : parsed->Value();
}

// The path to the resources of the application container that requests the most; empty: none does, or the pod has
// requests of its own, which must not fall below those of its containers.
Path GreatestRequester(const PatchedManifest& pod, const std::string& resource) {
  if (pod.Find({"spec", "resources"}) != nullptr) return {};
  const Value* containers = pod.Find({"spec", "containers"});
  const size_t n = containers == nullptr ? 0 : containers->array().size();
  Path greatest;
  int64_t most = 0;
  for (size_t i = 0; i < n; ++i) {
    const Path resources{"spec", "containers", std::to_string(i), "resources"};
    const Value* request = pod.Find(Below(resources, {"requests", resource}));
    if (request == nullptr || AmountOf(*request, resource) <= most) continue;
    most = AmountOf(*request, resource);
    greatest = resources;
  }
  return greatest;
}

// The API server wants the limit of an extended resource, and of huge pages, to equal the request.
bool LimitEqualsRequest(std::string_view resource) {
  return resource != "cpu" && resource != "memory" && resource != "ephemeral-storage";
}

void Lower(PatchedManifest& pod, const std::vector<Decrease>& decreases) {
  for (const Decrease& one : decreases) {
    const Path resources = GreatestRequester(pod, one.resource);
    if (resources.empty()) continue;
    const Path request = Below(resources, {"requests", one.resource}),
               limit = Below(resources, {"limits", one.resource});
    const Value lower = AmountText(one.resource, AmountOf(*pod.Find(request), one.resource) - one.amount);
    pod.Replace(request, lower);
    if (LimitEqualsRequest(one.resource)) pod.Replace(limit, lower);
  }
}

bool Possible(const cache::Cache& cache, const api::Pod& pod, const std::vector<Decrease>& decreases) {
  const PatchedManifest manifest(encode::PodManifest(cache.intern(), pod));
  for (const Decrease& one : decreases) {
    const Path resources = GreatestRequester(manifest, one.resource);
    if (resources.empty()) return false;
    const Value& request = *manifest.Find(Below(resources, {"requests", one.resource}));
    if (AmountOf(request, one.resource) <= one.amount) return false;
  }
  return !decreases.empty();
}

std::string ChangeText(const std::vector<Decrease>& decreases) {
  std::vector<std::string> parts;
  for (const Decrease& one : decreases) {
    const char* what = LimitEqualsRequest(one.resource) ? " (and limit)" : "";
    parts.push_back(one.resource + what + " from " + AmountText(one.resource, one.requested) + " to " +
                    AmountText(one.resource, one.requested - one.amount));
  }
  return "lower its request for " + base::Join(parts, " and ");
}

}  // namespace

std::optional<PodEdit> LowerRequests(engine::Engine& engine, const api::Pod& pod, const std::vector<Group>& groups) {
  std::vector<Decrease> decreases = CheapestDecreases(engine, pod, groups);
  if (!Possible(engine.cache(), pod, decreases)) return std::nullopt;
  std::string change = ChangeText(decreases);
  return PodEdit{PodEdit::Kind::kLowerRequests, std::move(change),
                 [decreases = std::move(decreases)](PatchedManifest& manifest) { Lower(manifest, decreases); }};
}

}  // namespace berth::explain
