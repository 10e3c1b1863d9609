// LoadVariationRiskBalancing: prefers nodes whose load is low and steady. Source:
// pkg/trimaran/loadvariationriskbalancing of kubernetes-sigs/scheduler-plugins.
#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../trimaran_common/load_feed.h"
#include "../trimaran_common/make_source.h"
#include "../trimaran_common/pod_amounts.h"
#include "args.h"
#include "risk.h"

namespace plugins {

using namespace berth::sdk;      // NOLINT: a plugin uses the SDK's names
using namespace load_variation;  // NOLINT: and its own

class LoadVariationRiskBalancing {
 public:
  static constexpr Info kInfo{.name = "LoadVariationRiskBalancing", .vendor = "berth.dev"};
  static constexpr auto kNeeds = trimaran::LoadFeed::kNeeds;
  static constexpr uint32_t kDeltas = BERTH_DELTA_NODES;
  // Scores also depend on the load of the row's node, whose changes feed_ reports.
  static constexpr Reuse kScoreReuse{.pod = BERTH_POD_RESOURCES, .total = true};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { LoadVariationRiskBalancingArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { LoadVariationRiskBalancingArgs::Read(in); }

  explicit LoadVariationRiskBalancing(Host& host)
      : args_(ReadArgs<LoadVariationRiskBalancingArgs>(host)),
        caution_{args_.margin, args_.sensitivity},
        amounts_(host),
        feed_(host, trimaran::MakeSource(host, args_.feed), trimaran::LoadFeed::kRowsPerTask,
              [this](uint32_t row) { Read(row); }) {}

  void Activate() {
    // metrics-server returns amounts, which the capacity converts to percentages.
    feed_.Start(args_.feed.of_metrics_server());
  }

  void ObjectChanged(ObjectKind, Object before, Object now) { feed_.Take(before, now); }

  void Deltas(List<berth_delta> deltas) {
    for (const berth_delta& delta : deltas) {
      const bool gone = delta.kind == BERTH_DELTA_NODE_REMOVE;
      if (delta.row >= rows_.size()) rows_.resize(size_t{delta.row} + 1);
      rows_[delta.row].allocatable = gone ? trimaran::Amounts{} : amounts_.Of(NodeView(delta.node).allocatable());
      feed_.Take(delta);
      if (delta.kind == BERTH_DELTA_NODE_CHANGE) feed_.Refresh(delta.row);  // otherwise feed_ has reported it
    }
  }

  Status Score(Cycle&, const Pod& pod, Rows rows, std::span<int64_t> out) {
    const trimaran::Amounts requests = amounts_.RequestsOf(pod);
    const auto milli = static_cast<double>(requests.cpu);
    const double mib = static_cast<double>(requests.memory) * trimaran::ResourceStats::kMiB;
    rows.ForEach(
        [&](uint32_t i, uint32_t row) { out[i] = row < rows_.size() ? rows_[row].risk.ScoreWith(milli, mib) : 0; });
    return Status::Ok();
  }

 private:
  struct Row {
    trimaran::Amounts allocatable;
    NodeRisk risk;
  };

  void Read(uint32_t number) {
    Row& row = rows_[number];
    row.risk = {};
    const trimaran::NodeLoad* load = feed_.LoadOf(number);
    if (load == nullptr) return;
    using trimaran::ResourceStats;
    if (load->cpu.known) {
      row.risk.cpu = ResourceRisk::Of(ResourceStats::OfCpu(load->cpu, row.allocatable.cpu, 0), caution_);
    }
    if (load->memory.known) {
      row.risk.memory = ResourceRisk::Of(ResourceStats::OfMemory(load->memory, row.allocatable.memory, 0), caution_);
    }
  }

  const LoadVariationRiskBalancingArgs args_;
  const Caution caution_;
  const trimaran::PodAmounts amounts_;
  std::vector<Row> rows_;
  trimaran::LoadFeed feed_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::LoadVariationRiskBalancing);
