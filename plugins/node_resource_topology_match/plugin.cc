// NodeResourceTopologyMatch: keeps pods away from nodes whose kubelet would refuse them, because no NUMA zone has what
// they need, and prefers nodes whose zones suit them. Source: pkg/noderesourcetopology of
// kubernetes-sigs/scheduler-plugins; docs/differences.md lists what differs.
#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "../common/qos_class.h"
#include "alignment.h"
#include "args.h"
#include "board.h"
#include "demand.h"
#include "node_scores.h"
#include "nodes.h"
#include "topology.h"

namespace plugins {

using namespace berth::sdk;     // NOLINT: a plugin uses the SDK's names
using namespace node_topology;  // NOLINT: and its own

class NodeResourceTopologyMatch {
 public:
  static constexpr Info kInfo{.name = "NodeResourceTopologyMatch", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_OBJECTS};
  static constexpr uint32_t kDeltas = BERTH_DELTA_NODES;
  static constexpr Interest kInterests[] = {
      {"Pod", BERTH_ACTION_DELETE},
      {"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_ALLOCATABLE},
      {"noderesourcetopologies.v1alpha2.topology.node.k8s.io", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE}};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { TopologyMatchArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { TopologyMatchArgs::Read(in); }

  explicit NodeResourceTopologyMatch(Host& host) : NodeResourceTopologyMatch(host, ReadArgs<TopologyMatchArgs>(host)) {}

  void Activate() { kind_ = objects_.Need("topology.node.k8s.io", "v1alpha2", "noderesourcetopologies"); }

  void ObjectChanged(ObjectKind, Object before, Object now) {
    if (now) return nodes_.Use(std::string(now.name()), reader_.Read(now));
    nodes_.Forget(std::string(before.name()));
  }
  void Deltas(List<berth_delta> deltas) {
    for (const berth_delta& delta : deltas) {
      const std::string name(host_.Text(NodeView(delta.node).name()));
      if (delta.kind == BERTH_DELTA_NODE_ADD) nodes_.Came(name, delta.row);
      if (delta.kind == BERTH_DELTA_NODE_REMOVE) nodes_.Left(name);
    }
  }
  std::string Dump() { return board_.Dump(); }

  Status PreFilter(Cycle&, const Pod& pod) {
    const QosClass qos = classes_.Of(pod);
    return Passes(Demand(host_, pod, qos), qos) ? Status::Skip() : Status::Ok();
  }

  Status Filter(Cycle& cycle, const Pod& pod, Rows rows, std::span<berth_verdict> out) {
    const QosClass qos = classes_.Of(pod);
    Demand demand(host_, pod, qos);
    if (Passes(demand, qos)) {
      rows.ForEachLive([&](uint32_t i, uint32_t) { out[i] = Verdict::Ok(); });
      return Status::Ok();
    }
    demand.ReadZones(board_);
    demand.ReadNodes(cycle.snap());
    Alignment alignment(board_, demand, cycle.snap());
    rows.ForEachLive([&](uint32_t i, uint32_t row) { out[i] = Judge(cycle, alignment, row); });
    return Status::Ok();
  }

  Status Score(Cycle&, const Pod& pod, Rows rows, std::span<int64_t> out) {
    const QosClass qos = classes_.Of(pod);
    if (qos != QosClass::kGuaranteed) return out[0] = 100, Status::Uniform();
    Demand demand(host_, pod, qos);
    demand.ReadZones(board_);
    Weigh(demand);
    NodeScores scores(strategy_, board_, demand);
    rows.ForEachLive([&](uint32_t i, uint32_t row) { out[i] = scores.Of(row); });
    return Status::Ok();
  }

 private:
  NodeResourceTopologyMatch(Host& host, const TopologyMatchArgs& args)
      : host_(host),
        strategy_(*StrategyNamed(args.strategy)),
        objects_(host),
        reader_(objects_),
        classes_(host),
        board_(host, strategy_ == Strategy::kLeastNumaNodes),
        nodes_(board_) {
    for (const TopologyMatchArgs::Weight& weight : args.weights) weights_[host.Intern(weight.name)] = weight.weight;
  }

  // Whether a pod needs nothing that a zone could lack.
  static bool Passes(const Demand& demand, QosClass qos) { return qos == QosClass::kBestEffort && !demand.devices(); }

  Verdict Judge(Cycle& cycle, Alignment& alignment, uint32_t row) {
    const BoardRow& node = board_.At(row);
    if (node.stale) return Verdict::Unschedulable(cycle.Reasons("invalid node topology data"));
    if (!node.known) return Verdict::Ok();
    const Misfit misfit = alignment.Of(row);
    if (misfit == Misfit::kNone) return Verdict::Ok();
    board_.Reject(row);
    return Verdict::Unschedulable(Reason(cycle, misfit));
  }
  static ReasonList Reason(Cycle& cycle, Misfit misfit) {
    switch (misfit) {
      case Misfit::kPod: return cycle.Reasons("cannot align pod");
      case Misfit::kInitContainer: return cycle.Reasons("cannot align init container");
      case Misfit::kSidecar: return cycle.Reasons("cannot align sidecar container");
      default: return cycle.Reasons("cannot align container");
    }
  }

  void Weigh(Demand& demand) const {
    for (Resource& resource : demand.resources()) {
      const auto weight = weights_.find(resource.name);
      if (weight != weights_.end() && weight->second > 0) resource.weight = weight->second;
    }
  }

  Host& host_;
  const Strategy strategy_;
  const Objects objects_;
  const TopologyReader reader_;
  const QosClasses classes_;
  Board board_;
  Nodes nodes_;
  std::unordered_map<Id, int64_t> weights_;
  ObjectKind kind_ = 0;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NodeResourceTopologyMatch);
