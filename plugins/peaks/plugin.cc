// Peaks: prefers the node whose power rises least. Source: pkg/trimaran/peaks of kubernetes-sigs/scheduler-plugins;
// docs/differences.md lists what differs.
#include <berth/kept.hpp>
#include <berth/objects.hpp>
#include <berth/plugin.hpp>
#include <berth/tasks.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/scored_resources.h"
#include "../trimaran_common/feed.h"
#include "../trimaran_common/node_loads.h"
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
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_HTTP, BERTH_SERVICE_JSON, BERTH_SERVICE_KEPT,
                                                BERTH_SERVICE_OBJECTS, BERTH_SERVICE_TASKS};
  static constexpr uint32_t kDeltas = BERTH_DELTA_NODES;
  // And on the load of the row's node, whose changes kept_ reports.
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
        objects_(host),
        tasks_(host),
        kept_(host),
        loads_(host, objects_, tasks_, trimaran::NodeLoads::kRowsPerTask, [this](uint32_t row) { Fill(row); }),
        feed_(host, tasks_, std::make_unique<trimaran::WatcherSource>(host, args_.watcher),
              [this](std::shared_ptr<const trimaran::Snapshot> snapshot) { loads_.Take(std::move(snapshot)); }) {}

  void Activate() {
    objects_.Need("", "v1", "nodes");
    feed_.Start();
  }

  void ObjectChanged(ObjectKind, Object before, Object now) { loads_.Take(before, now); }
  void Deltas(List<berth_delta> deltas) {
    for (const berth_delta& delta : deltas) loads_.Take(delta);
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
  // GetResourceRequestQuantity: overhead counts only beside a request.
  int64_t RequestOf(const Pod& pod) const {
    const int64_t total = AmountOf(host_.Requests(pod), cpu_);
    return total == AmountOf(pod.resources().overhead, cpu_) ? 0 : total;
  }
  void Fill(uint32_t row) {
    Read(row);
    kept_.RowChanged(row);
  }
  void Read(uint32_t row) {
    if (row >= rows_.size()) rows_.resize(size_t{row} + 1);
    rows_[row] = {};
    const trimaran::NodeLoad* load = loads_.LoadOf(row);
    if (load == nullptr || !load->first_cpu) return;
    const auto model = models_.find(loads_.NameOf(row));
    rows_[row] = RowPower::Of(*load->first_cpu, static_cast<double>(loads_.CapacityOf(row).cpu_milli),
                              model == models_.end() ? PowerModel{} : model->second);
  }

  Host& host_;
  const PeaksArgs args_;
  const PowerModels models_;
  const Id cpu_;
  const Objects objects_;
  const Tasks tasks_;
  const KeptResults kept_;
  std::vector<RowPower> rows_;
  trimaran::NodeLoads loads_;
  trimaran::Feed feed_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::Peaks);
