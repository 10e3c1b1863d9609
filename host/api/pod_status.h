// The part of a pod's status that only the host reads. Pods with the same one share it: most bound pods have nothing
// but the phase and the condition PodScheduled=True. Thread: any. Ownership: see block.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/block.h"
#include "api/intern_tables.h"

namespace berth::api {

// status.conditions[type=PodScheduled]; status is empty if the pod has none.
struct PodScheduledCondition {
  std::string status, reason, message;
  int64_t observed_generation = 0;  // only written; a change of it alone is no update
};

struct PodStatus {
  std::string phase;
  PodScheduledCondition scheduled_condition;
  // status.resourceClaimStatuses and extendedResourceClaimStatus as canonical text, only for comparison.
  std::string claim_statuses;
};

struct PodStatusAbi {  // not a block of the ABI: plugins do not see it
  BERTH_BLOCK;
};
class PodStatusBlock : public Block<PodStatusAbi> {
 public:
  PodStatus status;
};

// A PodStatus before its texts are stored.
struct PodStatusDraft {
  std::string_view phase, status, reason, message, claim_statuses;
  int64_t observed_generation = 0;
};
Ref<const PodStatusBlock> MakePodStatus(InternTables& intern, const PodStatusDraft& draft);

}  // namespace berth::api
