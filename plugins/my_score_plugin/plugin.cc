// MyScorePlugin: the fewer pods run on a node, the higher its score. The example of the tutorial.
#include <berth/plugin.hpp>

#include <cstdint>
#include <span>

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin speaks the SDK's words

class MyScorePlugin {
 public:
  static constexpr Info kInfo{.name = "MyScorePlugin", .vendor = "berth.dev"};
  // What a score is a function of: as long as no pod comes to a node or leaves it, its score need not be asked again.
  static constexpr Reuse kScoreReuse{.row = BERTH_ROW_REQUESTED, .total = true};
  // The counts become 0 to 100, and the smallest becomes the best.
  static constexpr auto kNormalization = Normalization::kReverse;

  // A batch: one call scores all nodes, and what is known of them stands in columns, one cell per row of the cluster.
  Status Score(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> out) {
    const auto pods = cycle.snap().Int64(BERTH_NODE_POD_COUNT);
    if (!pods) {  // no node runs any: all are alike
      out[0] = 0;
      return Status::Uniform();
    }
    rows.ForEach([&](uint32_t i, uint32_t row) { out[i] = (*pods)[row]; });
    return Status::Ok();
  }
};

}  // namespace plugins

BERTH_PLUGIN(plugins::MyScorePlugin);
