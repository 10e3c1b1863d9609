// NodeResourcesLeastAllocated, NodeResourcesMostAllocated, and RequestedToCapacityRatio: the scoring strategies of
// NodeResourcesFit as the separate plugins of Kubernetes before 1.22. Source:
// pkg/scheduler/framework/plugins/noderesources/{least_allocated,most_allocated,requested_to_capacity_ratio}.go of 1.21
// for the args, of 1.36 for the arithmetic.
#include <berth/plugin.hpp>

#include <string_view>
#include <vector>

#include "../common/allocation_scorer.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

struct LegacyArgs {
  std::vector<ResourceSpec> resources;
  allocation::Shape shape;

  // Also validates the args: a shape that does not rise would cause a division by zero.
  static LegacyArgs Read(ArgsReader& in) {
    LegacyArgs args;
    args.resources = ReadResources(in);
    for (const ResourceSpec& spec : args.resources) {
      if (spec.weight < 1 || spec.weight > 100)
        in.Invalid("resources", spec.weight, "weight of " + spec.name + " not in valid range (0, 100]");
    }
    args.shape = ReadShape(in, "shape");
    for (size_t i = 0; i < args.shape.size(); ++i) {
      const allocation::ShapePoint& point = args.shape[i];
      if (point.utilization < 0 || point.utilization > 100 || point.score < 0 || point.score > 100 ||
          (i > 0 && point.utilization <= args.shape[i - 1].utilization)) {
        in.Report("shape", "Invalid value", "utilization must rise within [0, 100] and scores be in [0, 10]");
        break;
      }
    }
    return args;
  }
  void Write(JsonWriter& out) const {
    out.BeginArray("resources");
    for (const ResourceSpec& spec : resources) {
      out.BeginObject();
      out.Field("name", spec.name);
      out.Field("weight", spec.weight);
      out.EndObject();
    }
    out.EndArray();
    if (shape.empty()) return;
    out.BeginArray("shape");
    for (const allocation::ShapePoint& point : shape) {
      out.BeginObject();
      out.Field("utilization", point.utilization);
      out.Field("score", point.score / 10);
      out.EndObject();
    }
    out.EndArray();
  }
};

template <class Self, AllocationScorer::Strategy kStrategy>
class ScoresAllocation {
 public:
  static constexpr Reuse kScoreReuse{
      .pod = BERTH_POD_RESOURCES, .row = BERTH_ROW_ALLOCATABLE | BERTH_ROW_REQUESTED, .total = true};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { LegacyArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) {
    if (LegacyArgs::Read(in).shape.empty() && kStrategy == AllocationScorer::Strategy::kRequestedToCapacityRatio)
      in.Report("shape", "Required value", "at least one point must be specified");
  }

  explicit ScoresAllocation(Host& host) : host_(host), scorer_(Make(host)) {}

  Status Score(Cycle& cycle, const Pod& pod, Rows rows, std::span<int64_t> out) {
    return scorer_.Score(host_, cycle, pod, rows, out);
  }

 private:
  static AllocationScorer Make(Host& host) {
    const auto args = ReadArgs<LegacyArgs>(host);
    return AllocationScorer(host, kStrategy, args.resources, args.shape);
  }

  Host& host_;
  const AllocationScorer scorer_;
};

using enum AllocationScorer::Strategy;

class NodeResourcesLeastAllocated : public ScoresAllocation<NodeResourcesLeastAllocated, kLeastAllocated> {
 public:
  static constexpr Info kInfo{.name = "NodeResourcesLeastAllocated", .vendor = "berth.dev"};
  using ScoresAllocation::ScoresAllocation;
};

class NodeResourcesMostAllocated : public ScoresAllocation<NodeResourcesMostAllocated, kMostAllocated> {
 public:
  static constexpr Info kInfo{.name = "NodeResourcesMostAllocated", .vendor = "berth.dev"};
  using ScoresAllocation::ScoresAllocation;
};

class RequestedToCapacityRatio : public ScoresAllocation<RequestedToCapacityRatio, kRequestedToCapacityRatio> {
 public:
  static constexpr Info kInfo{.name = "RequestedToCapacityRatio", .vendor = "berth.dev"};
  // It has no default shape.
  static constexpr std::string_view kSampleArgs =
      R"({"shape":[{"utilization":0,"score":0},{"utilization":100,"score":10}]})";
  using ScoresAllocation::ScoresAllocation;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NodeResourcesLeastAllocated, plugins::NodeResourcesMostAllocated,
             plugins::RequestedToCapacityRatio);
