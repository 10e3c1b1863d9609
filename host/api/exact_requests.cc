#include "api/exact_requests.h"

#include <algorithm>
#include <optional>

namespace berth::api {
namespace {

constexpr int64_t kDefaultCpuMilli = 100;
constexpr int64_t kDefaultMemory = 200 * 1024 * 1024;

base::Quantity* Find(QuantityList& list, base::Id name) {
  return const_cast<base::Quantity*>(FindQuantity(list, name));
}

void Add(QuantityList& list, const QuantityList& more) {
  for (const auto& [name, quantity] : more) {
    if (base::Quantity* have = Find(list, name)) {
      *have += quantity;
    } else {
      list.emplace_back(name, quantity);
    }
  }
}

void Max(QuantityList& list, const QuantityList& other) {
  for (const auto& [name, quantity] : other) {
    base::Quantity* have = Find(list, name);
    if (have == nullptr) {
      list.emplace_back(name, quantity);
    } else if (quantity > *have) {
      *have = quantity;
    }
  }
}

// The requests during a resize. If the resize is infeasible, the spec does not count.
QuantityList Resized(const ResourcesBlock& block, const QuantityList& spec, const QuantityList& actual,
                     const QuantityList& allocated) {
  QuantityList list;
  if (!block.resize_infeasible) list = spec;
  Max(list, actual);
  Max(list, allocated);
  return list;
}

QuantityList Needs(const InternTables& intern, const ResourcesBlock& block, const ContainerResources& container,
                   const RequestOptions& options) {
  QuantityList list = options.use_status && container.has_status && container.kind != BERTH_CONTAINER_INIT
                          ? Resized(block, container.requests, container.actual, container.allocated)
                          : container.requests;
  if (options.default_cpu && FindQuantity(list, intern.cpu) == nullptr) {
    list.emplace_back(intern.cpu, base::Quantity::FromMilli(kDefaultCpuMilli));
  }
  if (options.default_memory && FindQuantity(list, intern.memory) == nullptr) {
    list.emplace_back(intern.memory, base::Quantity::FromUnits(kDefaultMemory));
  }
  return list;
}

// App containers and sidecars run together. An init container runs with the sidecars declared before it.
QuantityList ContainerRequests(const InternTables& intern, const ResourcesBlock& block, const RequestOptions& options) {
  QuantityList sum, sidecars, peak;
  for (const ContainerResources& container : block.containers) {
    QuantityList needs = Needs(intern, block, container, options);
    if (container.kind == BERTH_CONTAINER_INIT) {
      Add(needs, sidecars);
      Max(peak, needs);
      continue;
    }
    Add(sum, needs);
    if (container.kind == BERTH_CONTAINER_APP) continue;
    Add(sidecars, needs);
    Max(peak, sidecars);
  }
  Max(sum, peak);
  return sum;
}

bool PodLevelSupports(const InternTables& intern, base::Id name) {
  return name == intern.cpu || name == intern.memory || intern.ids.Text(name).starts_with("hugepages-");
}

void ReplaceByPodLevel(const InternTables& intern, const ResourcesBlock& block, bool use_status, QuantityList& list) {
  std::optional<QuantityList> resized;
  if (use_status && block.has_pod_status) {
    resized = Resized(block, block.pod_requests, block.pod_actual, block.pod_allocated);
  }
  for (const auto& [name, spec] : block.pod_requests) {
    if (!PodLevelSupports(intern, name)) continue;
    base::Quantity value = spec;
    if (resized) {
      const base::Quantity* found = FindQuantity(*resized, name);
      value = found == nullptr ? base::Quantity() : *found;
    }
    if (base::Quantity* have = Find(list, name)) {
      *have = value;
    } else {
      list.emplace_back(name, value);
    }
  }
}

}  // namespace

const base::Quantity* FindQuantity(const QuantityList& list, base::Id name) {
  for (const auto& [id, quantity] : list) {
    if (id == name) return &quantity;
  }
  return nullptr;
}

bool HasPodLevelRequests(const InternTables& intern, const ResourcesBlock& block) {
  return std::any_of(block.pod_requests.begin(), block.pod_requests.end(),
                     [&](const auto& request) { return PodLevelSupports(intern, request.first); });
}

QuantityList ExactRequests(const InternTables& intern, const ResourcesBlock& block, const RequestOptions& options) {
  QuantityList list = ContainerRequests(intern, block, options);
  if (!options.skip_pod_level) ReplaceByPodLevel(intern, block, options.use_status, list);
  Add(list, block.overhead);
  std::sort(list.begin(), list.end(),
            [&](const auto& a, const auto& b) { return intern.ids.Text(a.first) < intern.ids.Text(b.first); });
  return list;
}

}  // namespace berth::api
