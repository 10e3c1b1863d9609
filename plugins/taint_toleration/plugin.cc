// TaintToleration: rejects nodes with taints that the pod does not tolerate, and prefers nodes with the fewest
// PreferNoSchedule taints that it does not tolerate. Source:
// pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go.
#include <berth/plugin.hpp>

#include <array>

#include "../common/tolerations.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

// Caches one result per set of taints: a cluster has few different sets, but thousands of nodes.
template <class Fn>
class PerTaintSet {
 public:
  explicit PerTaintSet(Fn ask) : ask_(std::move(ask)) { known_.fill(-1); }
  int64_t Of(uint32_t set) {
    if (set >= known_.size()) return ask_(set);
    if (known_[set] < 0) known_[set] = static_cast<int32_t>(ask_(set));
    return known_[set];
  }

 private:
  Fn ask_;
  std::array<int32_t, 256> known_;
};

class TaintToleration {
 public:
  static constexpr Info kInfo{.name = "TaintToleration", .vendor = "berth.dev"};
  static constexpr Reuse kFilterReuse{.pod = BERTH_POD_TOLERATIONS, .row = BERTH_ROW_TAINTS, .total = true};
  static constexpr Reuse kScoreReuse = kFilterReuse;
  static constexpr auto kNormalization = Normalization::kReverse;
  static constexpr Interest kInterests[] = {{"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_TAINT},
                                            {"Pod", BERTH_ACTION_UPDATE_POD_TOLERATION}};

  explicit TaintToleration(Host& host) : words_(host) {}

  Status Filter(Cycle& cycle, const Pod& pod, Rows rows, std::span<berth_verdict> out) {
    const auto sets = cycle.snap().Sets(BERTH_NODE_TAINTS);
    if (!sets) return Status::Ok();
    PerTaintSet refuses([&](uint32_t set) -> int64_t {
      return words_.AnyRefuses(cycle.snap().TaintsOf(set), pod.tolerations()) ? 1 : 0;
    });
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      const uint32_t set = (*sets)[row];
      if (set == 0 || refuses.Of(set) == 0) return;
      out[i] = Verdict::Unresolvable(cycle.Reasons("node(s) had untolerated taint(s)"));
    });
    return Status::Ok();
  }

  // Never skips. Upstream prepares its tolerations here; this plugin needs no preparation.
  Status PreScore(Cycle&, const Pod&, Rows) { return Status::Ok(); }

  Status Score(Cycle& cycle, const Pod& pod, Rows rows, std::span<int64_t> out) {
    const auto sets = cycle.snap().Sets(BERTH_NODE_TAINTS);
    if (!sets) {
      out[0] = 0;
      return Status::Uniform();
    }
    PerTaintSet count([&](uint32_t set) { return CountDisliked(cycle.snap().TaintsOf(set), pod.tolerations()); });
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      const uint32_t set = (*sets)[row];
      out[i] = set == 0 ? 0 : count.Of(set);
    });
    return Status::Ok();
  }

  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    if (event.interest() == 1) return event.new_pod() && event.new_pod().uid() == pod.uid();
    const auto refuses = [&](const NodeView& node) { return words_.AnyRefuses(node.taints(), pod.tolerations()); };
    if (!event.new_node() || refuses(event.new_node())) return false;
    return !event.old_node() || refuses(event.old_node());
  }

 private:
  int64_t CountDisliked(List<berth_taint> taints, List<berth_toleration> tolerations) const {
    int64_t count = 0;
    for (const berth_taint& taint : taints) {
      if (taint.effect == words_.prefer_no_schedule && !words_.Tolerated(tolerations, taint)) ++count;
    }
    return count;
  }

  TolerationWords words_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::TaintToleration);
