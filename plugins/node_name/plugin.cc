// NodeName: a pod with spec.nodeName fits only on that node. Source:
// pkg/scheduler/framework/plugins/nodename/node_name.go.
#include <berth/plugin.hpp>

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class NodeName {
 public:
  static constexpr Info kInfo{.name = "NodeName", .vendor = "berth.dev"};
  static constexpr Reuse kFilterReuse{.pod = BERTH_POD_NODE_NAME, .cluster = BERTH_CLUSTER_NODES, .total = true};
  static constexpr Interest kInterests[] = {{"Node", BERTH_ACTION_ADD}};

  Status Filter(Cycle& cycle, const Pod& pod, Rows rows, std::span<berth_verdict> out) {
    const Id wanted = pod.node_name();
    if (wanted == kNoId || wanted == BERTH_ID_EMPTY) return Status::Ok();
    const auto names = cycle.snap().Ids(BERTH_NODE_NAME);
    rows.ForEach([&](uint32_t i, uint32_t row) {
      if (names && (*names)[row] == wanted) return;
      out[i] = Verdict::Unresolvable(cycle.Reasons("node(s) didn't match the requested node name"));
    });
    return Status::Ok();
  }
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NodeName);
