#include "api/pod_status.h"

#include "api/content.h"

namespace berth::api {

Ref<const PodStatusBlock> MakePodStatus(InternTables& intern, const PodStatusDraft& draft) {
  ContentKey key;
  key.Text(draft.phase).Text(draft.status).Text(draft.reason).Text(draft.message).Text(draft.claim_statuses);
  key.Number(static_cast<uint64_t>(draft.observed_generation));
  return ShareBlock<PodStatusBlock>(intern, 'U', key, [&](BlockWriter&, PodStatusBlock& block) {
    block.status = {
        .phase = std::string(draft.phase),
        .scheduled_condition = {std::string(draft.status), std::string(draft.reason), std::string(draft.message),
                                draft.observed_generation},
        .claim_statuses = std::string(draft.claim_statuses),
    };
  });
}

}  // namespace berth::api
