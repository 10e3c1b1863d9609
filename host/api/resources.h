// The resources block of a pod and the ways Kubernetes sums it up.
// Source: k8s.io/component-helpers/resource/helpers.go, pkg/scheduler/framework/types.go; core.md 6.5.
// Thread: any; sums are computed once per block and kind, then read without a lock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "api/block.h"
#include "api/vocabulary.h"
#include "base/quantity.h"

namespace berth::api {

// Sorted by name text; exact.
using QuantityList = std::vector<std::pair<base::Id, base::Quantity>>;

// The block behind what a pod shows in the ABI; resources must point into one.
class ResourcesBlock;
const ResourcesBlock& ResourcesBlockOf(const berth_resources* resources);

struct ContainerResources {
  uint32_t kind = BERTH_CONTAINER_APP;
  QuantityList requests;
  bool has_status = false;  // the container's status reports resources
  QuantityList actual, allocated;
};

// Integer sums, ready for columns and for the ABI.
struct RequestSums {
  std::vector<berth_amount> amounts;  // sorted by name text; keys with value 0 are kept
  int64_t Get(base::Id name) const {  // 0 when absent
    for (const berth_amount& a : amounts) {
      if (a.name == name) return a.value;
    }
    return 0;
  }
};

// What NodeInfo adds up for a pod on a node (core.md 6.5).
struct AccountedRequests {
  const RequestSums* requested;  // pod-level and in-place resize honoured
  int64_t non_zero_cpu_milli;
  int64_t non_zero_memory;
};

class ResourcesBlock : public Block<berth_resources> {
 public:
  ~ResourcesBlock() override;
  std::vector<ContainerResources> containers;  // order of abi.containers
  bool has_pod_level = false, has_pod_status = false, resize_infeasible = false;
  QuantityList pod_requests, pod_actual, pod_allocated, overhead;

  // flags: BERTH_REQUESTS_*. Unknown flags answer empty sums.
  const RequestSums& Sums(const Vocabulary& words, uint32_t flags) const;
  AccountedRequests Accounted(const Vocabulary& words) const;

 private:
  static constexpr uint32_t kKinds = 8;  // every combination of the three flags
  mutable std::array<std::atomic<RequestSums*>, kKinds> sums_{};
  mutable std::atomic<AccountedRequests*> accounted_{nullptr};
};

// Integer amount of an exact quantity of resource `name`, with the ABI's flags.
berth_amount ToAmount(const Vocabulary& words, base::Id name, base::Quantity exact);

// Which resources NodeInfo tracks beyond cpu, memory and ephemeral-storage (core.md 6.5): extended names, hugepages-*,
// kubernetes.io/ names, attachable-volumes-*.
bool IsScalarResourceName(std::string_view name);
bool IsExtendedResourceName(std::string_view name);

// Did any summed request of the pod shrink or vanish (UpdatePodScaleDown)?
bool ScaledDown(const Vocabulary& words, const ResourcesBlock& before, const ResourcesBlock& after);

}  // namespace berth::api
