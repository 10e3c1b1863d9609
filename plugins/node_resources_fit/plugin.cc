// NodeResourcesFit: rejects nodes without enough free resources for the pod, and scores nodes by their utilization.
// Source: pkg/scheduler/framework/plugins/noderesources/fit.go, resource_allocation.go.
#include <berth/plugin.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "../common/allocation_scorer.h"
#include "fits.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

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
        scorer_(host, StrategyOf(args_.strategy), args_.resources, args_.shape) {
    for (const Id basic : {cpu_, memory_, storage_}) insufficient_.push_back("Insufficient " + Name(basic));
  }

  // Never skips, because the number of pods counts for every pod.
  Status PreFilter(Cycle& cycle, const Pod& pod) {
    GatherNeeds(cycle.snap(), pod, cycle.Set<Needs>());
    return Status::Ok();
  }

  Status Filter(Cycle& cycle, const Pod& pod, Rows rows, std::span<berth_verdict> out) {
    if (const Needs* needs = cycle.Find<Needs>()) {
      Judge(cycle, *needs, rows, out);
    } else {  // the profile does not call PreFilter
      Needs own;
      GatherNeeds(cycle.snap(), pod, own);
      Judge(cycle, own, rows, out);
    }
    return Status::Ok();
  }

  Status PreScore(Cycle&, const Pod&, Rows) { return Status::Ok(); }

  Status Score(Cycle& cycle, const Pod& pod, Rows rows, std::span<int64_t> out) {
    return scorer_.Score(host_, cycle, pod, rows, out);
  }

  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    if (event.interest() == 0) return PodEventHelps(event, pod);
    if (event.interest() == 1) return NodeEventHelps(event, pod);
    return false;  // device classes provide resources only with dynamic resource allocation
  }

 private:
  static constexpr size_t kChunk = 512;  // rows filtered at once, on the stack
  static constexpr const char* kTooManyPods = "Too many pods";

  // The pod's requests, the number of pods first. Valid for one cycle, like its columns.
  using Needs = fit::Needs;

  static void Add(const Snapshot& snap, Id name, int64_t want, Needs& needs) {
    const auto allocatable = snap.Int64(BERTH_NODE_ALLOCATABLE, name);
    const auto requested = snap.Int64(BERTH_NODE_REQUESTED, name);
    needs.push_back({want, allocatable ? allocatable->data() : nullptr, requested ? requested->data() : nullptr, name});
  }

  // The verdicts for missing resources; one object per call.
  class Answers {
   public:
    Answers(Cycle& cycle, const NodeResourcesFit& fit, const Needs& needs) : cycle_(cycle), fit_(fit), needs_(needs) {}
    Verdict For(uint64_t mask) {
      for (size_t i = 0; i < known_; ++i) {
        if (masks_[i] == mask) return verdicts_[i];
      }
      const ReasonList why = fit_.Why(cycle_, needs_, mask);
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

  ReasonList Why(Cycle& cycle, const Needs& needs, uint64_t mask) const {
    if (mask == 1) return cycle.Reasons(kTooManyPods);
    // The most frequent case: only one resource is short, and no node lacks it altogether.
    const uint64_t short_of = mask & ~fit::kUnresolvable;
    if (std::has_single_bit(short_of)) {
      const Id name = needs[static_cast<size_t>(std::countr_zero(short_of))].name;
      const size_t basic = name == cpu_ ? 0 : name == memory_ ? 1 : name == storage_ ? 2 : insufficient_.size();
      if (basic < insufficient_.size()) return cycle.Reasons({std::string_view(insufficient_[basic])});
    }
    std::vector<std::string> reasons;
    for (size_t i = 0; i < needs.size(); ++i) {
      if ((mask >> i & 1) != 0) reasons.push_back(Why(needs, i));
    }
    return cycle.Reasons(reasons);
  }

  std::string Why(const Needs& needs, size_t i) const {
    return i == 0 ? kTooManyPods : "Insufficient " + Name(needs[i].name);
  }

  // For pods that request more resources than a mask has bits. Neighbors that lack the same share a verdict.
  void JudgeMany(Cycle& cycle, const Needs& needs, const Rows& rows, std::span<berth_verdict> out) const {
    fit::Lack lack, known;
    Verdict verdict;
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      fit::FindLack(row, needs, lack);
      if (lack.needs.empty()) return;
      if (lack != known) verdict = VerdictOf(cycle, needs, known = lack);
      out[i] = verdict;
    });
  }

  Verdict VerdictOf(Cycle& cycle, const Needs& needs, const fit::Lack& lack) const {
    std::vector<std::string> reasons;
    for (const size_t i : lack.needs) reasons.push_back(Why(needs, i));
    const ReasonList why = cycle.Reasons(reasons);
    return lack.unresolvable ? Verdict::Unresolvable(why) : Verdict::Unschedulable(why);
  }

  void Judge(Cycle& cycle, const Needs& needs, const Rows& rows, std::span<berth_verdict> out) const {
    if (needs.size() > fit::kMaxNeeds) return JudgeMany(cycle, needs, rows, out);
    Answers answers(cycle, *this, needs);
    if (rows.dense()) return FilterRange(rows, needs, answers, out);
    rows.ForEach([&](uint32_t i, uint32_t row) {
      if (const uint64_t mask = fit::ShortOn(row, needs.data(), needs.size())) out[i] = answers.For(mask);
    });
  }

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
    needs.clear();
    needs.push_back({1, allowed ? allowed->data() : nullptr, count ? count->data() : nullptr, pods_});
    const auto requests = host_.Requests(pod);
    for (const Id basic : {cpu_, memory_, storage_}) {
      if (const int64_t want = AmountOf(requests, basic); want > 0) Add(snap, basic, want, needs);
    }
    for (const berth_amount& amount : requests) {
      if ((amount.flags & BERTH_AMOUNT_SCALAR) == 0 || amount.value == 0 || Ignored(amount)) continue;
      Add(snap, amount.name, amount.value, needs);
    }
  }

  static const int64_t* Cells(const int64_t* column, uint32_t first) {
    static constexpr std::array<int64_t, kChunk> kZeros{};
    return column == nullptr ? kZeros.data() : column + first;
  }

  static void FilterRange(const Rows& rows, const Needs& needs, Answers& answers, std::span<berth_verdict> out) {
    for (uint32_t begin = 0; begin < rows.size(); begin += kChunk) {
      const uint32_t n = std::min<uint32_t>(kChunk, rows.size() - begin);
      const uint32_t first = rows.first() + begin;
      const bool any = std::any_of(needs.begin(), needs.end(), [&](const fit::Need& need) {
        return fit::AnyShort(Cells(need.allocatable, first), Cells(need.requested, first), need.want, n);
      });
      if (any) FilterChunk(rows, needs, answers, begin, n, out);
    }
  }

  static void FilterChunk(const Rows& rows, const Needs& needs, Answers& answers, uint32_t begin, uint32_t n,
                          std::span<berth_verdict> out) {
    const uint32_t first = rows.first() + begin;
    std::array<uint8_t, kChunk> bad{};
    for (const fit::Need& need : needs) {
      fit::MarkShort(Cells(need.allocatable, first), Cells(need.requested, first), need.want, n, bad.data());
    }
    for (uint32_t i = 0; i < n; ++i) {
      if (bad[i] == 0 || !rows.Live(first + i)) continue;
      out[begin + i] = answers.For(fit::ShortOn(first + i, needs.data(), needs.size()));
    }
  }

  // ---- events ----

  bool PodEventHelps(const Event& event, const Pod& pod) const {
    const Pod before = event.old_pod(), after = event.new_pod();
    if (!after) return before && (before->node_name != kNoId || before->nominated_node != kNoId);
    if (after.uid() == pod.uid()) return true;
    if (after->node_name == kNoId) return false;
    if (!before) return true;
    // Whether the pod released anything that the waiting pod requests.
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

  // Whether the pod would fit on the new node if that were empty, and the node has more of a requested resource. As in
  // upstream, ignored resources count here.
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
  std::vector<std::string> insufficient_;  // texts of cpu, memory and storage
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NodeResourcesFit);
