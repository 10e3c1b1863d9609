// Plugins that copy one column into scores, to measure the boundary itself: as a batch and row by row.
#include <berth/plugin.hpp>

#include <optional>

namespace {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class CopyBatch {
 public:
  static constexpr Info kInfo{.name = "CopyBatch", .vendor = "bench"};
  Status Score(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> out) {
    const auto cells = cycle.snap().Int64(BERTH_NODE_POD_COUNT);
    rows.ForEach([&](uint32_t i, uint32_t row) { out[i] = (*cells)[row]; });
    return Status::Ok();
  }
};

// Looks up its column once, before the rows.
class CopyPerNode {
 public:
  static constexpr Info kInfo{.name = "CopyPerNode", .vendor = "bench"};
  Status PreScore(Cycle& cycle, const Pod&, Rows) {
    cells_ = *cycle.snap().Int64(BERTH_NODE_POD_COUNT);
    return Status::Ok();
  }
  int64_t Score(Cycle&, const Pod&, Node node) { return cells_[node.row()]; }

 private:
  std::span<const int64_t> cells_;
};

// Calls the host for every row.
class AskPerNode {
 public:
  static constexpr Info kInfo{.name = "AskPerNode", .vendor = "bench"};
  int64_t Score(Cycle& cycle, const Pod&, Node node) { return (*cycle.snap().Int64(BERTH_NODE_POD_COUNT))[node.row()]; }
};

}  // namespace

BERTH_PLUGIN(CopyBatch, CopyPerNode, AskPerNode);
