// The resources of a scoring strategy and their columns, which upstream's resourceAllocationScorer collects for each
// node. Shared by NodeResourcesFit and NodeResourcesBalancedAllocation. Source: calculateNodeAllocatableRequest of
// pkg/scheduler/framework/plugins/noderesources/resource_allocation.go. Thread: created in init, read by [parallel]
// calls.
#pragma once

#include <berth/plugin.hpp>

#include <array>
#include <string>
#include <vector>

#include "resource_names.h"

namespace plugins {

// One entry of the strategy's list.
struct ScoredResource {
  berth::sdk::Id name = berth::sdk::kNoId;
  int64_t weight = 1;
  bool scalar = false;    // not scored for a pod that requests none
  bool tracked = false;   // false: nodes do not count the name, so it is 0 everywhere
  bool non_zero = false;  // cpu and memory of a strategy that counts 100m / 200Mi for containers without a request
};

struct ResourceSpec {
  std::string name;
  int64_t weight = 0;
};

// Reads args.resources, in which the host has set the defaults.
inline std::vector<ResourceSpec> ReadResources(berth::sdk::ArgsReader& in) {
  std::vector<ResourceSpec> resources;
  in.Each("resources", [&](berth::sdk::ArgsReader& item, uint32_t) {
    ResourceSpec& spec = resources.emplace_back();
    item.Get("name", spec.name);
    item.Get("weight", spec.weight);
  });
  if (resources.empty()) resources = {{"cpu", 1}, {"memory", 1}};
  for (ResourceSpec& spec : resources) {
    if (spec.weight == 0) spec.weight = 1;
  }
  return resources;
}

inline std::vector<ScoredResource> InternResources(berth::sdk::Host& host, const std::vector<ResourceSpec>& specs,
                                                   bool count_missing) {
  std::vector<ScoredResource> resources;
  for (const ResourceSpec& spec : specs) {
    const bool basic = spec.name == "cpu" || spec.name == "memory";
    ScoredResource& resource = resources.emplace_back();
    resource.name = host.Intern(spec.name);
    resource.weight = spec.weight;
    resource.scalar = IsScalarResourceName(spec.name);
    resource.tracked = basic || spec.name == "ephemeral-storage" || resource.scalar;
    resource.non_zero = basic && count_missing;
  }
  return resources;
}

// One resource: the pod's request and the nodes' columns. Null columns are 0 for every node.
struct ResourceColumns {
  int64_t pod = 0;
  int64_t weight = 1;
  const int64_t* allocatable = nullptr;
  const int64_t* used = nullptr;
  const double* allocatable_f64 = nullptr;
  const double* used_f64 = nullptr;
  bool exact = false;  // the doubles equal the integers
};

inline int64_t AmountOf(berth::sdk::List<berth_amount> amounts, berth::sdk::Id name) {
  for (const berth_amount& amount : amounts) {
    if (amount.name == name) return amount.value;
  }
  return 0;
}

inline constexpr size_t kMaxScoredResources = 32;
using ColumnList = std::array<ResourceColumns, kMaxScoredResources>;

// Collects the columns of the resources that count for this pod, and returns their number. No node has any of the
// others.
inline size_t GatherColumns(const berth::sdk::Snapshot& snap, const std::vector<ScoredResource>& resources,
                            berth::sdk::List<berth_amount> requests, ColumnList& out) {
  size_t n = 0;
  for (const ScoredResource& resource : resources) {
    const int64_t pod = AmountOf(requests, resource.name);
    if (!resource.tracked || (pod == 0 && resource.scalar)) continue;
    const auto allocatable = snap.Int64(BERTH_NODE_ALLOCATABLE, resource.name);
    if (!allocatable) continue;
    ResourceColumns& columns = out[n++];
    columns = {};
    columns.pod = pod;
    columns.weight = resource.weight;
    columns.allocatable = allocatable->data();
    bool exact_allocatable = false, exact_used = true;
    columns.allocatable_f64 = snap.Float64(BERTH_NODE_ALLOCATABLE_F64, resource.name, &exact_allocatable)->data();
    const uint32_t what = resource.non_zero ? BERTH_NODE_NONZERO_REQUESTED : BERTH_NODE_REQUESTED;
    const uint32_t what_f64 = resource.non_zero ? BERTH_NODE_NONZERO_REQUESTED_F64 : BERTH_NODE_REQUESTED_F64;
    if (const auto used = snap.Int64(what, resource.name)) {
      columns.used = used->data();
      columns.used_f64 = snap.Float64(what_f64, resource.name, &exact_used)->data();
    }
    columns.exact = exact_allocatable && exact_used;
  }
  return n;
}

}  // namespace plugins
