// NetworkOverhead: prefers the nodes from which a pod reaches the pods that it depends on at the lowest network cost,
// and rejects nodes on which more than half of the connections cost too much. Source:
// pkg/networkaware/networkoverhead/networkoverhead.go of kubernetes-sigs/scheduler-plugins; docs/differences.md lists
// what differs.
#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "args.h"
#include "knowledge.h"
#include "node_costs.h"
#include "spread_costs.h"

namespace plugins {

using namespace berth::sdk;        // NOLINT: a plugin uses the SDK's names
using namespace network_overhead;  // NOLINT: and its own

class NetworkOverhead {
 public:
  static constexpr Info kInfo{.name = "NetworkOverhead", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_OBJECTS};
  // Scores depend on the nodes of other pods, so the host must not keep them. Reading one is cheaper than keeping it.
  static constexpr Reuse kScoreReuse{.reuse = false, .total = true};
  static constexpr uint32_t kChanged = BERTH_ACTION_ADD | BERTH_ACTION_UPDATE | BERTH_ACTION_DELETE;
  static constexpr Interest kInterests[] = {
      {"Pod", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_POD_LABEL | BERTH_ACTION_DELETE},
      {"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL, false},
      {"appgroups.v1alpha1.appgroup.diktyo.x-k8s.io", kChanged, false},
      {"networktopologies.v1alpha1.networktopology.diktyo.x-k8s.io", kChanged, false}};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { NetworkOverheadArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { NetworkOverheadArgs::Read(in); }

  explicit NetworkOverhead(Host& host)
      : args_(ReadArgs<NetworkOverheadArgs>(host)), objects_(host), known_(host, args_) {}

  void Activate() {
    app_groups_ = objects_.Need(kAppGroupApi, "v1alpha1", "appgroups");
    topologies_ = objects_.Need("networktopology.diktyo.x-k8s.io", "v1alpha1", "networktopologies");
  }

  void ObjectChanged(ObjectKind kind, Object before, Object now) {
    if (kind == app_groups_) known_.SetAppGroup(before, now);
    if (kind == topologies_) known_.SetTopology(before, now);
  }
  void Deltas(List<berth_delta> deltas) {
    for (const berth_delta& delta : deltas) known_.Take(delta);
  }
  std::string Dump() { return known_.Dump(); }

  Status PreFilter(Cycle& cycle, const Pod& pod) {
    const auto& costs = cycle.Set<NodeCosts>(known_.CostsFor(pod, cycle.snap().rows()));
    return costs.equal() ? Status::Skip() : Status::Ok();
  }

  Status Filter(Cycle& cycle, const Pod&, Rows rows, std::span<berth_verdict> out) {
    const auto* costs = cycle.Find<NodeCosts>();
    if (costs == nullptr) return Status::Error("not eligible due to failed to read from cycleState");
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      const bool rejected = !costs->equal() && costs->Of(row).Rejected();
      out[i] =
          rejected ? Verdict::Unschedulable(cycle.Reasons({WhyRejected(cycle, row, costs->Of(row))})) : Verdict::Ok();
    });
    return Status::Ok();
  }

  Status Score(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> out) {
    const auto* costs = cycle.Find<NodeCosts>();
    if (costs == nullptr) {
      return Status::Error("not eligible due to failed to read from cycleState, return min score");
    }
    rows.ForEach([&](uint32_t i, uint32_t row) { out[i] = costs->equal() ? 0 : costs->Of(row).cost; });
    return Status::Ok();
  }
  Status Normalize(Cycle&, const Pod&, Rows, std::span<int64_t> scores) {
    SpreadCosts(scores);
    return Status::Ok();
  }

  // A pod helps if it is in the same group, or if it is the pod itself.
  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    const Id group = known_.labels().GroupOf(pod);
    for (const Pod& changed : {event.old_pod(), event.new_pod()}) {
      if (changed && (changed.uid() == pod.uid() || known_.labels().GroupOf(changed) == group)) return true;
    }
    return false;
  }

 private:
  static std::string WhyRejected(Cycle& cycle, uint32_t row, const NodeResult& result) {
    return "Node " + std::string(cycle.host().Text(cycle.snap().At(row).name())) +
           " does not meet several network requirements from Workload dependencies: Satisfied: " +
           std::to_string(result.satisfied) + " Violated: " + std::to_string(result.violated);
  }

  const NetworkOverheadArgs args_;
  const Objects objects_;
  Knowledge known_;
  ObjectKind app_groups_ = 0, topologies_ = 0;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NetworkOverhead);
