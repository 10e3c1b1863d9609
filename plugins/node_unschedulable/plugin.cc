// NodeUnschedulable: rejects cordoned nodes for pods that do not tolerate node.kubernetes.io/unschedulable. Source:
// pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go.
#include <berth/plugin.hpp>

#include "../common/tolerations.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class NodeUnschedulable {
 public:
  static constexpr Info kInfo{.name = "NodeUnschedulable", .vendor = "berth.dev"};
  static constexpr Reuse kFilterReuse{.pod = BERTH_POD_TOLERATIONS, .row = BERTH_ROW_TAINTS, .total = true};
  static constexpr Interest kInterests[] = {{"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_TAINT},
                                            {"Pod", BERTH_ACTION_UPDATE_POD_TOLERATION}};

  explicit NodeUnschedulable(Host& host)
      : words_(host), cordon_{host.Intern("node.kubernetes.io/unschedulable"), BERTH_ID_EMPTY, words_.no_schedule} {}

  Status Filter(Cycle& cycle, const Pod& pod, Rows rows, std::span<berth_verdict> out) {
    const auto cordoned = cycle.snap().Uint8(BERTH_NODE_UNSCHEDULABLE);
    if (!cordoned || words_.Tolerated(pod.tolerations(), cordon_)) return Status::Ok();
    rows.ForEach([&](uint32_t i, uint32_t row) {
      if ((*cordoned)[row] == 0) return;
      out[i] = Verdict::Unresolvable(cycle.Reasons("node(s) were unschedulable"));
    });
    return Status::Ok();
  }

  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    if (event.interest() == 1) {
      return event.new_pod() && event.new_pod().uid() == pod.uid() &&
             words_.Tolerated(event.new_pod().tolerations(), cordon_);
    }
    if (!event.new_node() || event.new_node().unschedulable()) return false;
    return !event.old_node() || event.old_node().unschedulable();
  }

 private:
  TolerationWords words_;
  berth_taint cordon_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NodeUnschedulable);
