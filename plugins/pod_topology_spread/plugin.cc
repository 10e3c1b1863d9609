// PodTopologySpread: spreads matching pods over the values of node labels (zones, hosts). It rejects nodes that would
// violate a DoNotSchedule constraint, and prefers nodes that satisfy ScheduleAnyway constraints best. Pods without
// constraints get the profile's defaults, which count the pods of the same Services and owner. Source:
// pkg/scheduler/framework/plugins/podtopologyspread.
#include <berth/plugin.hpp>

#include <berth/pod_sets.hpp>

#include "args.h"
#include "hard.h"
#include "hints.h"
#include "soft.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class PodTopologySpread {
 public:
  static constexpr Info kInfo{.name = "PodTopologySpread", .vendor = "berth.dev"};
  static constexpr Interest kInterests[] = {
      {"Pod",
       BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_POD_LABEL | BERTH_ACTION_UPDATE_POD_TOLERATION | BERTH_ACTION_DELETE},
      {"Node",
       BERTH_ACTION_ADD | BERTH_ACTION_DELETE | BERTH_ACTION_UPDATE_NODE_LABEL | BERTH_ACTION_UPDATE_NODE_TAINT}};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_DOMAINS, BERTH_SERVICE_MATCHING, BERTH_SERVICE_POD_SETS};
  static constexpr std::string_view kUses[] = {BERTH_SERVICE_OBJECTS};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { spread::SpreadArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { spread::SpreadArgs::Read(in); }

  explicit PodTopologySpread(Host& host)
      : host_(host),
        domains_(host),
        pod_sets_(host),
        matching_(host),
        words_(host),
        tolerations_(host),
        default_selectors_(host) {
    const auto args = ReadArgs<spread::SpreadArgs>(host);
    system_ = args.system();
    defaults_ = args.Defaults(host, words_);
  }

  void Activate() {
    if (!defaults_.empty()) default_selectors_.Activate();
  }

  Status PreFilter(Cycle& cycle, const Pod& pod) {
    auto base = hard_.Take();
    spread::HardBase& state = base.edit();
    if (const std::string error = Gather(pod, words_.do_not_schedule, state.constraints); !error.empty()) {
      return Status::Error("get constraints from pod: obtaining pod's hard topology spread constraints: " + error);
    }
    if (state.constraints.empty()) return Status::Skip();
    FindDomains(cycle.snap(), state.constraints);
    state.inclusion.Judge(host_, tolerations_, cycle.snap(), *pod.raw(), state.constraints, keys_, true);
    if (state.counts.size() < state.constraints.size()) state.counts.resize(state.constraints.size());
    for (size_t i = 0; i < state.constraints.size(); ++i) {
      const spread::Constraint& constraint = state.constraints[i];
      state.counts[i].domains = keys_[i];
      state.counts[i].self = constraint.Matches(matching_, pod->labels);
      state.counts[i].Count(constraint, state.inclusion, PodsLike(cycle.snap(), constraint, pod).of_row());
    }
    state.SetLimits();
    cycle.Set<spread::HardState>(base);
    return Status::Ok();
  }

  Status AddPod(Cycle& cycle, const Pod& pod, const Pod& added, Node node) {
    return Change(cycle, pod, added, node, 1);
  }
  Status RemovePod(Cycle& cycle, const Pod& pod, const Pod& removed, Node node) {
    return Change(cycle, pod, removed, node, -1);
  }

  Status Filter(Cycle& cycle, const Pod&, Rows rows, std::span<berth_verdict> out) {
    const spread::HardState* state = cycle.Find<spread::HardState>();
    if (state == nullptr) return Status::Error("reading \"PreFilterPodTopologySpread\" from cycleState: not found");
    state->EachRefused(rows, [&](uint32_t i, spread::Room room) {
      out[i] = room == spread::Room::kFull
                   ? Verdict::Unschedulable(cycle.Reasons("node(s) didn't match pod topology spread constraints"))
                   : Verdict::Unresolvable(cycle.Reasons(
                         "node(s) didn't match pod topology spread constraints (missing required label)"));
    });
    return Status::Ok();
  }

  Status PreScore(Cycle& cycle, const Pod& pod, Rows rows) {
    auto lease = soft_.Take();
    spread::SoftState& state = lease.edit();
    if (const std::string error = Gather(pod, words_.schedule_anyway, state.constraints); !error.empty()) {
      return Status::Error("calculating preScoreState: obtaining pod's soft topology spread constraints: " + error);
    }
    if (state.constraints.empty()) return Status::Skip();
    FindDomains(cycle.snap(), state.constraints);
    state.need_keys = pod->spread->items.n != 0 || !system_;
    state.inclusion.Judge(host_, tolerations_, cycle.snap(), *pod.raw(), state.constraints, keys_, state.need_keys);
    if (state.counts.size() < state.constraints.size()) state.counts.resize(state.constraints.size());
    state.no_pods = true;
    for (size_t i = 0; i < state.constraints.size(); ++i) {
      const PodCounts pods = PodsLike(cycle.snap(), state.constraints[i], pod);
      state.no_pods &= pods.empty();
      state.counts[i].domains = keys_[i];
      state.counts[i].pods_of_row = pods.of_row();
    }
    state.Count(rows, cycle.snap().nodes());
    cycle.Set<SoftLease>(lease);
    return Status::Ok();
  }

  Status Score(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> out) {
    const spread::SoftState& state = *cycle.Get<SoftLease>();
    if (state.uniform()) {
      out[0] = state.UniformScore();
      return Status::Uniform();
    }
    state.Score(rows, out);
    return Status::Ok();
  }

  Status Normalize(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> io) {
    const SoftLease* state = cycle.Find<SoftLease>();
    if (state != nullptr) (*state)->Normalize(rows, io);
    return Status::Ok();
  }

  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    const bool about_pods = event.interest() == 0;
    if (about_pods && !spread::Involves(event, pod)) return false;
    if (!Gather(pod, words_.do_not_schedule, hint_).empty()) return true;
    return about_pods ? spread::PodEventHelps(event, pod, hint_, matching_) : spread::NodeEventHelps(event, hint_);
  }

 private:
  using SoftLease = Pool<spread::SoftState>::Lease;

  // Collects the pod's constraints with that action. Returns the error of a selector; "": none.
  std::string Gather(const Pod& pod, Id action, spread::Constraints& out) {
    out.Clear();
    if (pod->spread->items.n != 0) {
      out.AddOwn(*pod.raw(), words_, action);
      for (const spread::Constraint& one : out) {
        if (const std::string_view error = matching_.Error(one.selector); !error.empty()) return std::string(error);
      }
      return {};
    }
    const bool any = std::any_of(defaults_.begin(), defaults_.end(),
                                 [action](const spread::DefaultConstraint& one) { return one.when == action; });
    if (any) out.AddDefaults(defaults_, action, default_selectors_.Of(*pod.raw()));
    return {};
  }

  void FindDomains(const Snapshot& snap, const spread::Constraints& constraints) {
    keys_.clear();
    for (const spread::Constraint& one : constraints) keys_.push_back(domains_.Of(snap, one.key));
  }

  // The number of matching pods per row, in the pod's namespace and without terminating ones.
  PodCounts PodsLike(const Snapshot& snap, const spread::Constraint& constraint, const Pod& pod) const {
    if (constraint.selects_all()) return {};
    PodMatch match;
    match.In(pod->ns).Selector(constraint.selector).Labels(List<berth_kv>(constraint.pairs));
    return pod_sets_.Counts(snap, PodSet(match, BERTH_POD_SET_NOT_DELETED));
  }

  Status Change(Cycle& cycle, const Pod& pod, const Pod& changed, const Node& node, int32_t by) {
    if (changed.ns() != pod.ns()) return Status::Ok();
    auto& state = cycle.Get<spread::HardState>();
    const spread::HardBase& base = state.base();
    for (size_t i = 0; i < base.constraints.size(); ++i) {
      if (base.counts[i].Cell(node.row()) == 0) return Status::Ok();  // lacks a key, so it counts for no constraint
    }
    for (size_t i = 0; i < base.constraints.size(); ++i) {
      if (!base.inclusion.Counts(node.row(), base.counts[i].barriers)) continue;
      if (base.constraints[i].Matches(matching_, changed->labels)) state.Change(i, node.row(), by);
    }
    return Status::Ok();
  }

  Host& host_;
  DomainColumns domains_;
  PodSets pod_sets_;
  Matching matching_;
  const spread::Words words_;
  const TolerationWords tolerations_;
  DefaultSelectors default_selectors_;
  bool system_ = true;
  std::vector<spread::DefaultConstraint> defaults_;
  Pool<spread::HardBase> hard_;
  Pool<spread::SoftState> soft_;
  std::vector<Domains> keys_;  // per constraint; for the current [serial] call
  spread::Constraints hint_;   // likewise
};

}  // namespace plugins

BERTH_PLUGIN(plugins::PodTopologySpread);
