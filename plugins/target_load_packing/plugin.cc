// TargetLoadPacking: fills nodes up to a target of CPU use, by their measured load. Source:
// pkg/trimaran/targetloadpacking of kubernetes-sigs/scheduler-plugins; docs/differences.md lists what differs.
#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../trimaran_common/load_feed.h"
#include "../trimaran_common/make_source.h"
#include "../trimaran_common/row_walk.h"
#include "args.h"
#include "predicted_use.h"
#include "recent_pods.h"
#include "target_score.h"

namespace plugins {

using namespace berth::sdk;           // NOLINT: a plugin uses the SDK's names
using namespace target_load_packing;  // NOLINT: and its own

class TargetLoadPacking {
 public:
  static constexpr Info kInfo{.name = "TargetLoadPacking", .vendor = "berth.dev"};
  static constexpr auto kNeeds = trimaran::LoadFeed::kNeeds;
  static constexpr uint32_t kDeltas = BERTH_DELTA_NODES | BERTH_DELTA_PODS;
  // Scores also depend on the load of the row's node, whose changes feed_ reports.
  static constexpr Reuse kScoreReuse{.pod = BERTH_POD_RESOURCES, .total = true};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { TargetLoadPackingArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { TargetLoadPackingArgs::Read(in); }

  explicit TargetLoadPacking(Host& host)
      : args_(ReadArgs<TargetLoadPackingArgs>(host)),
        target_(static_cast<double>(args_.target)),
        predicted_(host.Intern("cpu"), args_.multiplier_value(), args_.default_cpu_milli()),
        feed_(host, trimaran::MakeSource(host, args_.feed), trimaran::LoadFeed::kRowsPerTask,
              [this](uint32_t row) { Read(row); }),
        sweep_(feed_.tasks(), trimaran::LoadFeed::kRowsPerTask, [this](uint32_t row) { Sweep(row); }) {}

  void Activate() {
    feed_.Start(true);
    SweepLater();
  }

  void ObjectChanged(ObjectKind, Object before, Object now) { feed_.Take(before, now); }

  void Deltas(List<berth_delta> deltas) {
    for (const berth_delta& delta : deltas) {
      if (delta.kind == BERTH_DELTA_NODE_REMOVE) recent_.Clear(delta.row);
      feed_.Take(delta);
      if (delta.pod != nullptr) TakePod(delta);
    }
  }

  Status Score(Cycle&, const Pod& pod, Rows rows, std::span<int64_t> out) {
    const auto use = static_cast<double>(predicted_.Of(pod));
    rows.ForEach([&](uint32_t i, uint32_t row) {
      const bool known = row < rows_.size() && rows_[row].known;
      out[i] = known ? TargetScore(rows_[row].PercentWith(use), target_) : 0;
    });
    return Status::Ok();
  }

 private:
  static constexpr std::chrono::minutes kSweepEvery{5};

  int64_t Now() const { return feed_.tasks().WallUnixNs() / 1'000'000'000; }
  // Uses the time when the pod got its node: a pod that ran before the plugin started is in the metrics.
  int64_t CameAt(const Pod& pod) const {
    const int64_t scheduled = pod.scheduled_unix_ns();
    return scheduled == BERTH_NO_TIME ? Now() : std::min(Now(), scheduled / 1'000'000'000);
  }
  void TakePod(const berth_delta& delta) {
    const Pod pod(delta.pod);
    recent_.Remove(delta.row, pod.uid());
    if (delta.kind == BERTH_DELTA_POD_ADD) recent_.Add(delta.row, pod.uid(), CameAt(pod), predicted_.Of(pod));
    feed_.Refresh(delta.row);
  }
  void SweepLater() {
    feed_.tasks().Post(kSweepEvery, [this] {
      sweep_.Start(static_cast<uint32_t>(rows_.size()));
      SweepLater();
    });
  }
  void Sweep(uint32_t row) {
    if (recent_.Sweep(row, Now())) feed_.Refresh(row);
  }
  void Read(uint32_t row) {
    if (row >= rows_.size()) rows_.resize(size_t{row} + 1);
    if (row >= feed_.loads().rows()) return;
    recent_.SetWindowEnd(row, feed_.loads().WindowEndOf(row));
    const trimaran::NodeLoad* load = feed_.LoadOf(row);
    RowLoad& cells = rows_[row];
    cells.known = load != nullptr && load->last_cpu.has_value();
    if (!cells.known) return;
    cells.capacity = static_cast<double>(feed_.loads().CapacityOf(row).cpu_milli);
    cells.used = *load->last_cpu / 100 * cells.capacity;
    cells.missing = static_cast<double>(recent_.MissingOn(row));
  }

  const TargetLoadPackingArgs args_;
  const double target_;
  const PredictedUse predicted_;
  RecentPods recent_;
  std::vector<RowLoad> rows_;
  trimaran::LoadFeed feed_;
  trimaran::RowWalk sweep_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::TargetLoadPacking);
