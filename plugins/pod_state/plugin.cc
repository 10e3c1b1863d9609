// PodState: prefers nodes with more terminating pods and fewer nominated pods. Source: sigs.k8s.io/scheduler-plugins
// pkg/podstate/pod_state.go.
#include <berth/nominate.hpp>
#include <berth/plugin.hpp>

#include <cstdint>
#include <span>
#include <string_view>

#include "../common/spread_scores.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class PodState {
 public:
  static constexpr Info kInfo{.name = "PodState", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_NOMINATE};
  static constexpr Reuse kScoreReuse{.row = BERTH_ROW_PODS, .total = true};

  explicit PodState(Host& host) : nominations_(host) {}

  int64_t Score(Cycle&, const Pod&, Node node) {
    int64_t terminating = 0;
    for (const Pod pod : node.pods()) terminating += pod->deletion_unix_ns != BERTH_NO_TIME ? 1 : 0;
    return terminating;
  }

  // Nominations are read here because they change without the node, and because Score is [parallel].
  Status Normalize(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> scores) {
    rows.ForEachLive(
        [&](uint32_t i, uint32_t row) { scores[i] -= nominations_.OfNode(cycle.snap().At(row).name()).size(); });
    SpreadScores(scores);
    return Status::Ok();
  }

 private:
  const Nominations nominations_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::PodState);
