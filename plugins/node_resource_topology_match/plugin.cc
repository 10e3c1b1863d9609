// NodeResourceTopologyMatch: keeps pods away from nodes whose kubelet would refuse them, because no NUMA zone has what
// they need, and prefers nodes whose zones suit them. Source: pkg/noderesourcetopology of
// kubernetes-sigs/scheduler-plugins; docs/differences.md lists what differs.
#include <berth/kept.hpp>
#include <berth/objects.hpp>
#include <berth/plugin.hpp>
#include <berth/tasks.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "../common/qos_class.h"
#include "alignment.h"
#include "args.h"
#include "board.h"
#include "cache.h"
#include "demand.h"
#include "discard_reserved.h"
#include "filter_memo.h"
#include "misfit.h"
#include "node_scores.h"
#include "over_reserve.h"
#include "rejections.h"
#include "victims.h"

namespace plugins {

using namespace berth::sdk;     // NOLINT: a plugin uses the SDK's names
using namespace node_topology;  // NOLINT: and its own

class NodeResourceTopologyMatch {
 public:
  static constexpr Info kInfo{.name = "NodeResourceTopologyMatch", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_KEPT, BERTH_SERVICE_OBJECTS, BERTH_SERVICE_TASKS};
  static constexpr uint32_t kDeltas = BERTH_DELTA_NODES;
  // And on the zones of the row, whose changes the board reports.
  static constexpr Reuse kScoreReuse{.pod = BERTH_POD_RESOURCES, .total = true};
  static constexpr Interest kInterests[] = {
      {"Pod", BERTH_ACTION_DELETE},
      {"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_ALLOCATABLE},
      {"noderesourcetopologies.v1alpha2.topology.node.k8s.io", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE}};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { TopologyMatchArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { TopologyMatchArgs::Read(in); }

  explicit NodeResourceTopologyMatch(Host& host) : NodeResourceTopologyMatch(host, ReadArgs<TopologyMatchArgs>(host)) {}

  void Activate() {
    topologies_ = objects_.Need("topology.node.k8s.io", "v1alpha2", "noderesourcetopologies");
    if (!over_reserves_) return;
    pods_ = objects_.Need("", "v1", "pods");
  }

  void ObjectChanged(ObjectKind kind, Object before, Object now) {
    if (over_reserves_) ResyncLater();
    if (kind == topologies_) cache_->TopologyChanged(before, now);
    if (kind != pods_) return;
    cache_->PodChanged(before, now);
    if (!now) rejections_.Forget(before.uid());
  }
  void Deltas(List<berth_delta> deltas) {
    for (const berth_delta& delta : deltas) {
      const std::string name(host_.Text(NodeView(delta.node).name()));
      if (delta.kind == BERTH_DELTA_NODE_ADD) cache_->NodeCame(name, delta.row);
      if (delta.kind == BERTH_DELTA_NODE_REMOVE) cache_->NodeLeft(name);
      if (delta.kind == BERTH_DELTA_NODE_CHANGE) board_.Touch(delta.row);
    }
  }
  std::string Dump() { return cache_->Dump(); }

  Status PreFilter(Cycle& cycle, const Pod& pod) {
    if (over_reserves_) rejections_.Begin(pod.uid());
    const QosClass qos = classes_.Of(pod);
    if (Passes(Demand(host_, pod, qos), qos)) return Status::Skip();
    if (simulates_evictions_) cycle.Set<Victims>();
    memo_.Begin(pod.resources().content, board_.rows());
    return Status::Ok();
  }
  // Trials of nominated pods and of preemption. The zones that the added pod would use are unknown.
  Status AddPod(Cycle& cycle, const Pod&, const Pod& added, Node) {
    if (!simulates_evictions_) return Status::Ok();
    Victims* victims = cycle.Find<Victims>();
    if (victims == nullptr) return Status::Error(kNoVictims);
    victims->Remove(added);
    return Status::Ok();
  }
  Status RemovePod(Cycle& cycle, const Pod&, const Pod& removed, Node) {
    if (!simulates_evictions_) return Status::Ok();
    Victims* victims = cycle.Find<Victims>();
    if (victims == nullptr) return Status::Error(kNoVictims);
    victims->Add(host_, removed, classes_.Of(removed));
    return Status::Ok();
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
    Alignment alignment(board_, demand, cycle.snap(), simulates_evictions_ ? cycle.Find<Victims>() : nullptr);
    FilterMemo::Results* known = alignment.simulated() ? nullptr : memo_.Find(pod.resources().content);
    rows.ForEachLive([&](uint32_t i, uint32_t row) { out[i] = Judge(cycle, alignment, known, row); });
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

  Status Reserve(Cycle&, const Pod& pod, Id node) {
    if (cache_->follows()) cache_->Reserve(TravelerOf(pod, node), pod);
    if (over_reserves_) rejections_.Forget(pod.uid());
    return Status::Ok();
  }
  void Unreserve(Cycle&, const Pod& pod, Id node) {
    if (!cache_->follows()) return;
    tasks_.Post([this, traveler = TravelerOf(pod, node)] { cache_->Release(traveler); });
  }
  void PostBind(Cycle&, const Pod& pod, Id node) {
    if (!cache_->follows()) return;
    tasks_.Post([this, traveler = TravelerOf(pod, node)] { cache_->Bound(traveler); });
  }

  std::string Save() { return cache_->Save(); }
  Status Load(std::string_view, std::string_view state) {
    cache_->Load(state);
    return Status::Ok();
  }
  void Adopt(const Pod& pod, Id node, std::string_view) {
    if (!cache_->follows()) return;
    const Traveler& traveler = adopted_[std::string(pod.uid())] = TravelerOf(pod, node);
    cache_->Reserve(traveler, pod);
  }
  void Settle(const Pod& pod, bool bound) {
    const auto at = adopted_.find(std::string(pod.uid()));
    if (at == adopted_.end()) return;
    bound ? cache_->Bound(at->second) : cache_->Release(at->second);
    adopted_.erase(at);
  }

 private:
  static constexpr const char* kNoVictims = "not found";  // without preFilter; the text of the original

  NodeResourceTopologyMatch(Host& host, const TopologyMatchArgs& args)
      : host_(host),
        strategy_(*StrategyNamed(args.strategy)),
        over_reserves_(args.over_reserves()),
        simulates_evictions_(args.simulates_evictions()),
        resync_period_(args.resync_seconds.value_or(0)),
        objects_(host),
        tasks_(host),
        classes_(host),
        kept_(host),
        board_(host, strategy_ == Strategy::kLeastNumaNodes, simulates_evictions_,
               [this](uint32_t row) { kept_.RowChanged(row); }),
        cache_(MakeCache(args)) {
    for (const TopologyMatchArgs::Weight& weight : args.weights) weights_[host.Intern(weight.name)] = weight.weight;
  }

  std::unique_ptr<Cache> MakeCache(const TopologyMatchArgs& args) {
    if (args.discard_reserved) return std::make_unique<DiscardReserved>(board_, objects_);
    if (over_reserves_) return std::make_unique<OverReserve>(host_, board_, objects_, args.cache, simulates_evictions_);
    return std::make_unique<Cache>(board_, objects_);
  }
  // After each change that a resync depends on, once for all of a period. [any]
  void ResyncLater() {
    if (!armed_.exchange(true, std::memory_order_relaxed)) ResyncIn(resync_period_);
  }
  void ResyncIn(std::chrono::seconds delay) {
    tasks_.Post(delay, [this] {
      armed_.store(false, std::memory_order_relaxed);
      if (cache_->Resync()) return ResyncIn(std::chrono::seconds(0));
      if (cache_->TakeImprovement()) TryAgain();
    });
  }
  void TryAgain() {
    for (const std::string& uid : rejections_.Take()) tasks_.Activate(uid);
  }
  Traveler TravelerOf(const Pod& pod, Id node) const {
    return {.uid = std::string(pod.uid()), .node = std::string(host_.Text(node))};
  }

  // Whether a pod needs nothing that a zone could lack.
  static bool Passes(const Demand& demand, QosClass qos) { return qos == QosClass::kBestEffort && !demand.devices(); }

  // known: null, or what Filter found before.
  Verdict Judge(Cycle& cycle, Alignment& alignment, FilterMemo::Results* known, uint32_t row) {
    const BoardRow& node = board_.At(row);
    if (node.stale) return Reject(alignment, cycle.Reasons("invalid node topology data"));
    if (!node.known) return Verdict::Ok();
    const auto compute = [&] { return alignment.Of(row); };
    const Misfit misfit = known == nullptr ? compute() : known->Of(row, board_.VersionOf(row), compute);
    if (misfit == Misfit::kNone) return Verdict::Ok();
    if (!alignment.simulated()) board_.Reject(row);
    return Reject(alignment, ReasonOf(cycle, misfit));
  }
  Verdict Reject(const Alignment& alignment, ReasonList why) {
    if (over_reserves_ && !alignment.simulated()) NoteRejection();
    return Verdict::Unschedulable(why);
  }
  void NoteRejection() {
    rejections_.Note();
    if (!armed_.load(std::memory_order_relaxed)) ResyncLater();
  }

  void Weigh(Demand& demand) const {
    for (Resource& resource : demand.resources()) {
      const auto weight = weights_.find(resource.name);
      if (weight != weights_.end() && weight->second > 0) resource.weight = weight->second;
    }
  }

  Host& host_;
  const Strategy strategy_;
  const bool over_reserves_, simulates_evictions_;
  const std::chrono::seconds resync_period_;
  const Objects objects_;
  const Tasks tasks_;
  const QosClasses classes_;
  const KeptResults kept_;
  Board board_;
  const std::unique_ptr<Cache> cache_;
  FilterMemo memo_;
  Rejections rejections_;
  std::atomic<bool> armed_ = false;  // a resync is due
  std::unordered_map<Id, int64_t> weights_;
  std::unordered_map<std::string, Traveler> adopted_;  // attempts of an older instance, by the pod's UID
  ObjectKind topologies_ = 0, pods_ = 0;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NodeResourceTopologyMatch);
