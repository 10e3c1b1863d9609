#include "scheduler/explain/describe.h"

#include <utility>

#include "scheduler/explain/node_groups.h"
#include "scheduler/explain/sentences.h"

namespace berth::explain {

Explanation Describe(std::shared_ptr<const decisions::Decision> decision) {
  const bool scheduled = decision->result == decisions::Result::kScheduled;
  Explanation out{.pod = decision->pod,
                  .profile = decision->profile,
                  .state = scheduled ? State::kScheduled : State::kPending,
                  .node = decision->node};
  if (decision->nodes != nullptr) {
    out.n_nodes = static_cast<uint32_t>(decision->nodes->NamedRows().size());
    out.groups = GroupsOf(*decision->nodes);
  }
  out.decision = std::move(decision);
  out.summary = AttemptSummary(out);
  return out;
}

}  // namespace berth::explain
