// NodeDeclaredFeatures: rejects nodes that do not declare the features that the pod's spec needs. Source:
// pkg/scheduler/framework/plugins/nodedeclaredfeatures/nodedeclaredfeatures.go.
#include <berth/plugin.hpp>

#include <algorithm>

#include "features.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names
namespace features = node_declared_features;

class NodeDeclaredFeatures {
 public:
  static constexpr Info kInfo{.name = "NodeDeclaredFeatures", .vendor = "berth.dev"};
  static constexpr Reuse kFilterReuse{.pod = BERTH_POD_FLAGS, .row = BERTH_ROW_FEATURES, .total = true};
  static constexpr Interest kInterests[] = {{"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_DECLARED_FEATURE},
                                            {"Pod", BERTH_ACTION_UPDATE}};

  explicit NodeDeclaredFeatures(Host& host) : host_(host) {}

  Status PreFilter(Cycle&, const Pod& pod) { return features::NeededBy(pod->has) == 0 ? Status::Skip() : Status::Ok(); }

  Status Filter(Cycle& cycle, const Pod& pod, Rows rows, std::span<berth_verdict> out) {
    const features::Set needed = features::NeededBy(pod->has);
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      if ((needed & ~DeclaredBy(cycle.snap().View(row))) == 0) return;
      out[i] = Verdict::Unresolvable(cycle.Reasons("node(s) didn't match Pod's required features"));
    });
    return Status::Ok();
  }

  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    if (event.interest() == 0)
      return !event.old_node() || !event.new_node() || Differ(event.old_node(), event.new_node());
    if (!event.new_pod() || event.new_pod().uid() != pod.uid()) return false;
    return !event.old_pod() || features::NeededBy(event.old_pod()->has) != features::NeededBy(event.new_pod()->has);
  }

 private:
  features::Set DeclaredBy(const NodeView& node) const {
    const List<Id> names(node->declared_features);
    return features::DeclaredIn(names.size(), [&](uint32_t i) { return host_.Text(names[i]); });
  }
  static bool Differ(const NodeView& a, const NodeView& b) {
    const List<Id> before(a->declared_features), after(b->declared_features);
    return !std::equal(before.begin(), before.end(), after.begin(), after.end());
  }

  Host& host_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NodeDeclaredFeatures);
