// NodeResourcesFit: refuses nodes without room for what the pod requests, and prefers nodes by how full they would be.
// Source: pkg/scheduler/framework/plugins/noderesources/fit.go, resource_allocation.go.
#include <berth/plugin.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "../common/allocation_scorer.h"
#include "fits.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin speaks the SDK's words

struct FitArgs {
  std::vector<std::string> ignored_resources, ignored_groups;
  std::string strategy = "LeastAllocated";
  std::vector<ResourceSpec> resources;
  allocation::Shape shape;

  static FitArgs Read(ArgsReader& in) {
    FitArgs args;
    in.Get("ignoredResources", args.ignored_resources);
    in.Get("ignoredResourceGroups", args.ignored_groups);
    ArgsReader strategy = in.Object("scoringStrategy");
    strategy.Get("type", args.strategy);
    args.resources = ReadResources(strategy);
    ArgsReader ratio = strategy.Object("requestedToCapacityRatio");
    args.shape = ReadShape(ratio, "shape");
    return args;
  }
};

class NodeResourcesFit {
 public:
  static constexpr Info kInfo{.name = "NodeResourcesFit", .vendor = "berth.dev"};
  static constexpr Reuse kFilterReuse{
      .pod = BERTH_POD_RESOURCES, .row = BERTH_ROW_ALLOCATABLE | BERTH_ROW_REQUESTED, .total = true};
  static constexpr Reuse kScoreReuse = kFilterReuse;
  static constexpr Interest kInterests[] = {{"Pod", BERTH_ACTION_DELETE | BERTH_ACTION_UPDATE_POD_SCALE_DOWN},
                                            {"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_ALLOCATABLE},
                                            {"resource.k8s.io/DeviceClass", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE}};

  explicit NodeResourcesFit(Host& host)
      : host_(host),
        cpu_(host.Intern("cpu")),
        memory_(host.Intern("memory")),
        storage_(host.Intern("ephemeral-storage")),
        pods_(host.Intern("pods")),
        args_(ReadArgs<FitArgs>(host)),
        scorer_(host, StrategyOf(args_.strategy), args_.resources, args_.shape) {}

  // Never skips: the number of pods counts for every pod.
  Status PreFilter(Cycle&, const Pod&) { return Status::Ok(); }

  Status Filter(Cycle& cycle, const Pod& pod, Rows rows, std::span<berth_verdict> out) {
    Needs needs;
    GatherNeeds(cycle.snap(), pod, needs);
    Answers answers(cycle, *this, needs);
    if (!rows.dense()) {
      rows.ForEach([&](uint32_t i, uint32_t row) {
        if (const uint64_t mask = fit::ShortOn(row, needs.list.data(), needs.n)) out[i] = answers.For(mask);
      });
      return Status::Ok();
    }
    FilterRange(rows, needs, answers, out);
    return Status::Ok();
  }

  Status PreScore(Cycle&, const Pod&, Rows) { return Status::Ok(); }

  Status Score(Cycle& cycle, const Pod& pod, Rows rows, std::span<int64_t> out) {
    return scorer_.Score(host_, cycle, pod, rows, out);
  }

  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    if (event.interest() == 0) return PodEventHelps(event, pod);
    if (event.interest() == 1) return NodeEventHelps(event, pod);
    return false;  // device classes serve resources only with dynamic resource allocation
  }

 private:
  static constexpr size_t kChunk = 512;  // rows judged at once, on the stack

  // What the pod asks for, the number of pods first.
  struct Needs {
    std::array<fit::Need, fit::kMaxNeeds> list;
    std::array<Id, fit::kMaxNeeds> names;
    size_t n = 0;
    void Add(const Snapshot& snap, Id name, int64_t want) {
      if (n == list.size()) throw std::length_error("the pod requests more than 61 resources");
      const auto allocatable = snap.Int64(BERTH_NODE_ALLOCATABLE, name);
      const auto requested = snap.Int64(BERTH_NODE_REQUESTED, name);
      list[n] = {want, allocatable ? allocatable->data() : nullptr, requested ? requested->data() : nullptr};
      names[n++] = name;
    }
  };

  // The verdict for what is short, made once per call.
  class Answers {
   public:
    Answers(Cycle& cycle, const NodeResourcesFit& fit, const Needs& needs) : cycle_(cycle), fit_(fit), needs_(needs) {}
    Verdict For(uint64_t mask) {
      for (size_t i = 0; i < known_; ++i) {
        if (masks_[i] == mask) return verdicts_[i];
      }
      std::vector<std::string> reasons;
      for (size_t i = 0; i < needs_.n; ++i) {
        if ((mask >> i & 1) != 0)
          reasons.push_back(i == 0 ? "Too many pods" : "Insufficient " + fit_.Name(needs_.names[i]));
      }
      const ReasonList why = cycle_.Reasons(reasons);
      const Verdict verdict =
          (mask & fit::kUnresolvable) != 0 ? Verdict::Unresolvable(why) : Verdict::Unschedulable(why);
      if (known_ < masks_.size()) {
        masks_[known_] = mask;
        verdicts_[known_++] = verdict;
      }
      return verdict;
    }

   private:
    Cycle& cycle_;
    const NodeResourcesFit& fit_;
    const Needs& needs_;
    size_t known_ = 0;
    std::array<uint64_t, 16> masks_;
    std::array<Verdict, 16> verdicts_;
  };

  static AllocationScorer::Strategy StrategyOf(const std::string& type) {
    using enum AllocationScorer::Strategy;
    return type == "MostAllocated"              ? kMostAllocated
           : type == "RequestedToCapacityRatio" ? kRequestedToCapacityRatio
                                                : kLeastAllocated;
  }

  std::string Name(Id id) const { return std::string(host_.Text(id)); }

  bool Ignored(const berth_amount& amount) const {
    if ((amount.flags & BERTH_AMOUNT_EXTENDED) == 0 ||
        (args_.ignored_resources.empty() && args_.ignored_groups.empty()))
      return false;
    const std::string_view name = host_.Text(amount.name);
    const std::string_view group = name.substr(0, name.find('/'));
    return std::find(args_.ignored_resources.begin(), args_.ignored_resources.end(), name) !=
               args_.ignored_resources.end() ||
           std::find(args_.ignored_groups.begin(), args_.ignored_groups.end(), group) != args_.ignored_groups.end();
  }

  void GatherNeeds(const Snapshot& snap, const Pod& pod, Needs& needs) const {
    const auto allowed = snap.Int64(BERTH_NODE_ALLOCATABLE, pods_);
    const auto count = snap.Int64(BERTH_NODE_POD_COUNT);
    needs.list[0] = {1, allowed ? allowed->data() : nullptr, count ? count->data() : nullptr};
    needs.names[0] = pods_;
    needs.n = 1;
    const auto requests = host_.Requests(pod);
    for (const Id basic : {cpu_, memory_, storage_}) {
      if (const int64_t want = AmountOf(requests, basic); want > 0) needs.Add(snap, basic, want);
    }
    for (const berth_amount& amount : requests) {
      if ((amount.flags & BERTH_AMOUNT_SCALAR) == 0 || amount.value == 0 || Ignored(amount)) continue;
      needs.Add(snap, amount.name, amount.value);
    }
  }

  static void FilterRange(const Rows& rows, const Needs& needs, Answers& answers, std::span<berth_verdict> out) {
    static constexpr std::array<int64_t, kChunk> kZeros{};
    for (uint32_t begin = 0; begin < rows.size(); begin += kChunk) {
      const uint32_t n = std::min<uint32_t>(kChunk, rows.size() - begin);
      const uint32_t first = rows.first() + begin;
      std::array<uint8_t, kChunk> bad{};
      for (size_t i = 0; i < needs.n; ++i) {
        const fit::Need& need = needs.list[i];
        fit::MarkShort(need.allocatable == nullptr ? kZeros.data() : need.allocatable + first,
                       need.requested == nullptr ? kZeros.data() : need.requested + first, need.want, n, bad.data());
      }
      for (uint32_t i = 0; i < n; ++i) {
        if (bad[i] == 0 || !rows.Live(first + i)) continue;
        out[begin + i] = answers.For(fit::ShortOn(first + i, needs.list.data(), needs.n));
      }
    }
  }

  // ---- events ----

  bool PodEventHelps(const Event& event, const Pod& pod) const {
    const Pod before = event.old_pod(), after = event.new_pod();
    if (!after) return before && (before->node_name != kNoId || before->nominated_node != kNoId);
    if (after.uid() == pod.uid()) return true;
    if (after->node_name == kNoId) return false;
    if (!before) return true;
    // Did it give back anything the waiting pod asks for?
    const auto had = host_.Requests(before, BERTH_REQUESTS_USE_STATUS);
    std::vector<berth_amount> old(had.begin(), had.end());
    const auto has = host_.Requests(after, BERTH_REQUESTS_USE_STATUS);
    const auto wants = host_.Requests(pod, BERTH_REQUESTS_USE_STATUS);
    for (const berth_amount& want : wants) {
      if (want.value == 0 || !Counted(want)) continue;
      const auto was = std::find_if(old.begin(), old.end(), [&](const berth_amount& a) { return a.name == want.name; });
      if (was != old.end() && was->value > AmountOf(has, want.name)) return true;
    }
    return false;
  }

  bool Counted(const berth_amount& amount) const {
    return amount.name == cpu_ || amount.name == memory_ || amount.name == storage_ ||
           (amount.flags & BERTH_AMOUNT_SCALAR) != 0;
  }

  // Would it fit on the new node if that were empty, and is there more of something it asks for? Ignored resources
  // count here, as they do upstream.
  bool NodeEventHelps(const Event& event, const Pod& pod) const {
    const NodeView before = event.old_node(), after = event.new_node();
    if (!after || after.Allocatable(pods_) < 1) return false;
    const auto requests = host_.Requests(pod);
    for (const berth_amount& want : requests) {
      const bool scalar = (want.flags & BERTH_AMOUNT_SCALAR) != 0;
      if (!Counted(want) || (scalar ? want.value == 0 : want.value <= 0)) continue;
      if (want.value > after.Allocatable(want.name)) return false;
    }
    if (!before || after.Allocatable(pods_) > before.Allocatable(pods_)) return true;
    for (const berth_amount& want : requests) {
      const bool scalar = (want.flags & BERTH_AMOUNT_SCALAR) != 0;
      if (!Counted(want) || (scalar ? want.value == 0 : want.value <= 0)) continue;
      if (after.Allocatable(want.name) > before.Allocatable(want.name)) return true;
    }
    return false;
  }

  Host& host_;
  const Id cpu_, memory_, storage_, pods_;
  const FitArgs args_;
  const AllocationScorer scorer_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NodeResourcesFit);
