// NodeResourcesAllocatable: prefers nodes with little, or with much, that pods can allocate, whether it is in use or
// not. Source: sigs.k8s.io/scheduler-plugins pkg/noderesources/allocatable.go.
#include <berth/plugin.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../common/known_kind.h"
#include "../common/resource_names.h"
#include "../common/spread_scores.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

struct AllocatableArgs {
  struct Resource {
    std::string name;
    int64_t weight = 0;
  };
  std::string mode;
  std::vector<Resource> resources;

  static AllocatableArgs Read(ArgsReader& in) {
    ExpectKind(in, "NodeResourcesAllocatable");
    AllocatableArgs args;
    in.Each(
        "resources",
        [&args](ArgsReader& item, uint32_t) {
          Resource& resource = args.resources.emplace_back();
          item.Get("name", resource.name);
          item.Get("weight", resource.weight);
          item.Check(resource.weight > 0, "weight", resource.weight,
                     "resource weight of " + resource.name +
                         " should be a positive value, got :" + std::to_string(resource.weight));
        },
        "ResourceSpec");
    if (args.resources.empty()) args.resources = {{"cpu", int64_t{1} << 20}, {"memory", 1}};
    in.Get("mode", args.mode);
    if (args.mode.empty()) args.mode = "Least";
    in.Check(args.mode == "Least" || args.mode == "Most", "mode", args.mode, "invalid support ModeType");
    return args;
  }
  void Write(JsonWriter& out) const {
    out.BeginArray("resources");
    for (const Resource& resource : resources) {
      out.BeginObject();
      out.Field("name", resource.name);
      out.Field("weight", resource.weight);
      out.EndObject();
    }
    out.EndArray();
    out.Field("mode", mode);
  }
};

class NodeResourcesAllocatable {
 public:
  static constexpr Info kInfo{.name = "NodeResourcesAllocatable", .vendor = "berth.dev"};
  static constexpr Reuse kScoreReuse{.row = BERTH_ROW_ALLOCATABLE, .total = true};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { AllocatableArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { AllocatableArgs::Read(in); }

  explicit NodeResourcesAllocatable(Host& host) {
    const auto args = ReadArgs<AllocatableArgs>(host);
    sign_ = args.mode == "Least" ? -1 : 1;
    for (const AllocatableArgs::Resource& resource : args.resources) Weigh(host, resource);
    for (const Weight& weight : weights_) all_weights_ += weight.weight;
  }

  // The weighted mean, cut to a whole number. Negative for Least.
  Status Score(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> out) {
    std::vector<Column> columns;
    columns.reserve(weights_.size());
    for (const Weight& weight : weights_) {
      const auto cells = weight.counted ? cycle.snap().Int64(BERTH_NODE_ALLOCATABLE, weight.name) : std::nullopt;
      if (cells) columns.push_back({cells->data(), weight.weight});
    }
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      __int128 sum = 0;
      for (const Column& column : columns) sum += static_cast<__int128>(column.cells[row]) * column.weight;
      out[i] = sign_ * static_cast<int64_t>(sum / all_weights_);
    });
    return Status::Ok();
  }

  Status Normalize(Cycle&, const Pod&, Rows, std::span<int64_t> scores) {
    SpreadScores(scores);
    return Status::Ok();
  }

 private:
  struct Weight {
    Id name;
    int64_t weight;
    bool counted;  // nodes have no amount of other resources, as in upstream's NodeInfo
  };
  struct Column {
    const int64_t* cells;
    int64_t weight;
  };

  // Of several entries with one name, the last counts.
  void Weigh(Host& host, const AllocatableArgs::Resource& resource) {
    const Id name = host.Intern(resource.name);
    const auto same = [name](const Weight& weight) { return weight.name == name; };
    const auto known = std::find_if(weights_.begin(), weights_.end(), same);
    if (known != weights_.end()) {
      known->weight = resource.weight;
      return;
    }
    constexpr std::string_view kBasic[] = {"cpu", "memory", "ephemeral-storage"};
    const bool basic = std::find(std::begin(kBasic), std::end(kBasic), resource.name) != std::end(kBasic);
    weights_.push_back({name, resource.weight, basic || IsScalarResourceName(resource.name)});
  }

  int64_t sign_ = 1;
  std::vector<Weight> weights_;
  __int128 all_weights_ = 0;  // at least 1
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NodeResourcesAllocatable);
