// The resources block of a pod, and the sums of it that Kubernetes uses. Source:
// k8s.io/component-helpers/resource/helpers.go, pkg/scheduler/framework/types.go. Thread: any. Each kind of sum is
// computed once per block, then read without a lock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "api/block.h"
#include "api/intern_tables.h"
#include "base/quantity.h"

namespace berth::api {

// Sorted by name text; exact.
using QuantityList = std::vector<std::pair<base::Id, base::Quantity>>;

// The block behind the resources that a pod shows in the ABI; `resources` must point into a block.
class ResourcesBlock;
const ResourcesBlock& ResourcesBlockOf(const berth_resources* resources);

struct ContainerResources {
  uint32_t kind = BERTH_CONTAINER_APP;
  QuantityList requests;
  bool has_status = false;  // the container's status reports resources
  QuantityList actual, allocated;
};

// Integer sums, for columns and for the ABI.
struct RequestSums {
  std::vector<berth_amount> amounts;  // sorted by name text; includes names with value 0
  int64_t Get(base::Id name) const {  // 0 if absent
    for (const berth_amount& a : amounts) {
      if (a.name == name) return a.value;
    }
    return 0;
  }
};

// The requests that NodeInfo adds for a pod on a node (pkg/scheduler/framework/types.go NodeInfo.update).
struct AccountedRequests {
  const RequestSums* requested;  // includes pod-level requests and in-place resize
  int64_t non_zero_cpu_milli;
  int64_t non_zero_memory;
};

class ResourcesBlock : public Block<berth_resources> {
 public:
  ~ResourcesBlock() override;
  std::vector<ContainerResources> containers;  // order of abi.containers
  bool has_pod_level = false, has_pod_status = false, resize_infeasible = false;
  QuantityList pod_requests, pod_actual, pod_allocated, overhead;

  // flags: BERTH_REQUESTS_*. Unknown flags give empty sums.
  const RequestSums& Sums(const InternTables& intern, uint32_t flags) const;
  AccountedRequests Accounted(const InternTables& intern) const;

 private:
  static constexpr uint32_t kKinds = 8;  // every combination of the three flags
  mutable std::array<std::atomic<RequestSums*>, kKinds> sums_{};
  mutable std::atomic<AccountedRequests*> accounted_{nullptr};
};

// The integer amount of an exact quantity of the resource `name`, with the ABI's flags.
berth_amount ToAmount(const InternTables& intern, base::Id name, base::Quantity exact);

// Whether NodeInfo tracks the resource in addition to cpu, memory, and ephemeral-storage: extended names, hugepages-*,
// kubernetes.io/ names, attachable-volumes-*. Source: pkg/scheduler/util/utils.go IsScalarResourceName.
bool IsScalarResourceName(std::string_view name);

// Whether any summed request of the pod became smaller or disappeared (UpdatePodScaleDown).
bool ScaledDown(const InternTables& intern, const ResourcesBlock& before, const ResourcesBlock& after);

}  // namespace berth::api
