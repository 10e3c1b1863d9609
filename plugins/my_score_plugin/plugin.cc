// MyScorePlugin: the fewer pods run on a node, the higher its score. The example of the tutorial.
#include <berth/plugin.hpp>

#include <cstdint>
#include <span>

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class MyScorePlugin {
 public:
  static constexpr Info kInfo{.name = "MyScorePlugin", .vendor = "berth.dev"};
  // The inputs of a score. As long as no pod is added to a node or removed from it, the host may reuse the node's
  // score.
  static constexpr Reuse kScoreReuse{.row = BERTH_ROW_REQUESTED, .total = true};
  // The counts are scaled to 0..100, and the smallest count gets the best score.
  static constexpr auto kNormalization = Normalization::kReverse;

  // One call scores all nodes. Their data is in columns with one cell per row of the cluster.
  Status Score(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> out) {
    const auto pods = cycle.snap().Int64(BERTH_NODE_POD_COUNT);
    if (!pods) {  // no node runs any pod: all scores are equal
      out[0] = 0;
      return Status::Uniform();
    }
    rows.ForEach([&](uint32_t i, uint32_t row) { out[i] = (*pods)[row]; });
    return Status::Ok();
  }
};

}  // namespace plugins

BERTH_PLUGIN(plugins::MyScorePlugin);
