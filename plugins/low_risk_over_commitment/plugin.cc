// LowRiskOverCommitment: avoids nodes whose pods may use more than the node has, and do use more than they request.
// Source: pkg/trimaran/lowriskovercommitment of kubernetes-sigs/scheduler-plugins.
#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../trimaran_common/load_feed.h"
#include "../trimaran_common/make_source.h"
#include "../trimaran_common/pod_amounts.h"
#include "args.h"
#include "over_commitment.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names
using namespace low_risk;    // NOLINT: and its own

class LowRiskOverCommitment {
 public:
  static constexpr Info kInfo{.name = "LowRiskOverCommitment", .vendor = "berth.dev"};
  static constexpr auto kNeeds = trimaran::LoadFeed::kNeeds;
  static constexpr uint32_t kDeltas = BERTH_DELTA_NODES | BERTH_DELTA_PODS;
  // Scores also depend on the load of the row's node, whose changes feed_ reports.
  static constexpr Reuse kScoreReuse{.pod = BERTH_POD_RESOURCES, .total = true};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { LowRiskOverCommitmentArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { LowRiskOverCommitmentArgs::Read(in); }

  explicit LowRiskOverCommitment(Host& host)
      : args_(ReadArgs<LowRiskOverCommitmentArgs>(host)),
        cpu_weight_(args_.WeightOf("cpu")),
        memory_weight_(args_.WeightOf("memory")),
        amounts_(host),
        feed_(host, trimaran::MakeSource(host, args_.feed), kRowsPerTask, [this](uint32_t row) { Read(row); }) {}

  void Activate() {
    // metrics-server returns amounts, which the capacity converts to percentages.
    feed_.Start(args_.feed.of_metrics_server());
  }

  void ObjectChanged(ObjectKind, Object before, Object now) { feed_.Take(before, now); }

  void Deltas(List<berth_delta> deltas) {
    for (const berth_delta& delta : deltas) {
      if (delta.row >= rows_.size()) rows_.resize(size_t{delta.row} + 1);
      if (delta.node != nullptr) TakeNode(delta);
      if (delta.pod != nullptr) TakePod(delta);
    }
  }

  Status PreScore(Cycle& cycle, const Pod& pod, Rows) {
    cycle.Set<trimaran::Bounds>(amounts_.BoundsOf(pod));
    return Status::Ok();
  }

  Status Score(Cycle& cycle, const Pod& pod, Rows rows, std::span<int64_t> out) {
    const auto* known = cycle.Find<trimaran::Bounds>();
    const trimaran::Bounds bounds = known == nullptr ? amounts_.BoundsOf(pod) : *known;
    const bool best_effort = bounds == trimaran::Bounds{};
    rows.ForEach([&](uint32_t i, uint32_t row) {
      out[i] = best_effort || row >= rows_.size() || !rows_[row].known ? 0 : ScoreOf(rows_[row], bounds);
    });
    return Status::Ok();
  }

 private:
  // A row takes some microseconds, or a hundred if its load hardly varies.
  static constexpr uint32_t kRowsPerTask = 8;

  struct Row {
    trimaran::Bounds bounds;  // of the pods on it
    trimaran::Amounts allocatable;
    double cpu_risk = 0, memory_risk = 0;  // of the load
    bool known = false;
  };

  int64_t ScoreOf(const Row& row, const trimaran::Bounds& pod) const {
    const trimaran::Bounds& on = row.bounds;
    const double cpu =
        LimitRisk({on.requests.cpu + pod.requests.cpu, on.limits.cpu + pod.limits.cpu, row.allocatable.cpu});
    const double memory = LimitRisk(
        {on.requests.memory + pod.requests.memory, on.limits.memory + pod.limits.memory, row.allocatable.memory});
    const double risk =
        std::max(TotalRisk(cpu, row.cpu_risk, cpu_weight_), TotalRisk(memory, row.memory_risk, memory_weight_));
    return static_cast<int64_t>(std::round((1 - risk) * 100));
  }

  void TakeNode(const berth_delta& delta) {
    Row& row = rows_[delta.row];
    const bool gone = delta.kind == BERTH_DELTA_NODE_REMOVE;  // its pods are removed by separate deltas
    const trimaran::Amounts allocatable = gone ? trimaran::Amounts{} : amounts_.Of(NodeView(delta.node).allocatable());
    const bool same = allocatable == row.allocatable;
    row.allocatable = allocatable;
    if (delta.kind != BERTH_DELTA_NODE_CHANGE) return feed_.Take(delta);  // which fills the row
    if (!same) feed_.Refresh(delta.row);
  }
  void TakePod(const berth_delta& delta) {
    trimaran::Bounds& on = rows_[delta.row].bounds;
    const trimaran::Bounds pod = amounts_.BoundsOf(delta.pod);
    if (pod == trimaran::Bounds{}) return;
    if (delta.kind == BERTH_DELTA_POD_ADD) {
      on.requests += pod.requests;
      on.limits += pod.limits;
    } else {
      on.requests -= pod.requests;
      on.limits -= pod.limits;
    }
    // Limits are at least the requests.
    if (pod.limits.cpu != 0) ReadCpu(delta.row);
    if (pod.limits.memory != 0) ReadMemory(delta.row);
    feed_.RowChanged(delta.row);
  }
  void Read(uint32_t number) {
    rows_[number].known = feed_.LoadOf(number) != nullptr;
    ReadCpu(number);
    ReadMemory(number);
  }
  void ReadCpu(uint32_t number) {
    Row& row = rows_[number];
    row.cpu_risk = 0;
    const trimaran::NodeLoad* load = feed_.LoadOf(number);
    if (load == nullptr || !load->cpu.known) return;
    const int64_t allocatable = row.allocatable.cpu;
    const auto use = trimaran::ResourceStats::OfCpu(load->cpu, allocatable, 0).Shares();
    row.cpu_risk = LoadRisk(use, args_.windows, {row.bounds.requests.cpu, row.bounds.limits.cpu, allocatable});
  }
  void ReadMemory(uint32_t number) {
    Row& row = rows_[number];
    row.memory_risk = 0;
    const trimaran::NodeLoad* load = feed_.LoadOf(number);
    if (load == nullptr || !load->memory.known) return;
    const int64_t allocatable = row.allocatable.memory;
    const auto use = trimaran::ResourceStats::OfMemory(load->memory, allocatable, 0).Shares();
    row.memory_risk = LoadRisk(use, args_.windows, {row.bounds.requests.memory, row.bounds.limits.memory, allocatable});
  }

  const LowRiskOverCommitmentArgs args_;
  const double cpu_weight_, memory_weight_;
  const trimaran::PodAmounts amounts_;
  std::vector<Row> rows_;
  trimaran::LoadFeed feed_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::LowRiskOverCommitment);
