// Peaks: prefers the node whose power rises least. Source: pkg/trimaran/peaks of kubernetes-sigs/scheduler-plugins;
// docs/differences.md lists what differs.
#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "../common/scored_resources.h"
#include "../trimaran_common/load_feed.h"
#include "../trimaran_common/watcher_source.h"
#include "args.h"
#include "model_file.h"
#include "power.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names
using namespace peaks;       // NOLINT: and its own

class Peaks {
 public:
  static constexpr Info kInfo{.name = "Peaks", .vendor = "berth.dev"};
  static constexpr auto kNeeds = trimaran::LoadFeed::kNeedsOfWatcher;
  static constexpr uint32_t kDeltas = BERTH_DELTA_NODES;
  // Scores also depend on the load of the row's node, whose changes feed_ reports.
  static constexpr Reuse kScoreReuse{.pod = BERTH_POD_RESOURCES, .total = true};
  static constexpr std::string_view kSampleArgs =
      R"({"WatcherAddress":"http://load-watcher:2020","NodePowerModel":{"node1":{"k0":471.7,"k1":-91.5,"k2":-0.07}}})";

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { PeaksArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { PeaksArgs::Read(in); }

  explicit Peaks(Host& host)
      : host_(host),
        args_(ReadArgs<PeaksArgs>(host)),
        models_(ModelsOf(host, args_)),
        cpu_(host.Intern("cpu")),
        feed_(host, std::make_unique<trimaran::WatcherSource>(host, args_.watcher), trimaran::LoadFeed::kRowsPerTask,
              [this](uint32_t row) { Read(row); }) {}

  void Activate() { feed_.Start(true); }

  void ObjectChanged(ObjectKind, Object before, Object now) { feed_.Take(before, now); }
  void Deltas(List<berth_delta> deltas) {
    for (const berth_delta& delta : deltas) feed_.Take(delta);
  }

  Status Score(Cycle&, const Pod& pod, Rows rows, std::span<int64_t> out) {
    const auto milli = static_cast<double>(RequestOf(pod));
    rows.ForEach([&](uint32_t i, uint32_t row) { out[i] = row < rows_.size() ? rows_[row].CostWith(milli) : kNoCost; });
    return Status::Ok();
  }
  Status Normalize(Cycle&, const Pod&, Rows, std::span<int64_t> scores) {
    ScoreByCost(scores);
    return Status::Ok();
  }

 private:
  // GetResourceRequestQuantity: overhead counts only in addition to a request.
  int64_t RequestOf(const Pod& pod) const {
    const int64_t total = AmountOf(host_.Requests(pod), cpu_);
    return total == AmountOf(pod.resources().overhead, cpu_) ? 0 : total;
  }
  void Read(uint32_t row) {
    if (row >= rows_.size()) rows_.resize(size_t{row} + 1);
    rows_[row] = {};
    const trimaran::NodeLoad* load = feed_.LoadOf(row);
    if (load == nullptr || !load->first_cpu) return;
    const auto model = models_.find(feed_.loads().NameOf(row));
    rows_[row] = RowPower::Of(*load->first_cpu, static_cast<double>(feed_.loads().CapacityOf(row).cpu_milli),
                              model == models_.end() ? PowerModel{} : model->second);
  }

  Host& host_;
  const PeaksArgs args_;
  const PowerModels models_;
  const Id cpu_;
  std::vector<RowPower> rows_;
  trimaran::LoadFeed feed_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::Peaks);
