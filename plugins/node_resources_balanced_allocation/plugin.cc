// NodeResourcesBalancedAllocation: prefers nodes whose resources are used more evenly with the pod. Source:
// pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go.
#include <berth/plugin.hpp>

#include <algorithm>
#include <array>

#include "balance.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

struct BalancedAllocationArgs {
  std::vector<ResourceSpec> resources;
  static BalancedAllocationArgs Read(ArgsReader& in) {
    BalancedAllocationArgs args{ReadResources(in)};
    if (args.resources.size() > kMaxScoredResources) throw std::invalid_argument("more than 32 resources");
    return args;
  }
};

class NodeResourcesBalancedAllocation {
 public:
  static constexpr Info kInfo{.name = "NodeResourcesBalancedAllocation", .vendor = "berth.dev"};
  static constexpr Reuse kScoreReuse{
      .pod = BERTH_POD_RESOURCES, .row = BERTH_ROW_ALLOCATABLE | BERTH_ROW_REQUESTED, .total = true};

  explicit NodeResourcesBalancedAllocation(Host& host)
      : host_(host), resources_(InternResources(host, ReadArgs<BalancedAllocationArgs>(host).resources, false)) {}

  // Other plugins spread pods that request none of the resources.
  Status PreScore(Cycle&, const Pod& pod, Rows) {
    return AsksForAny(host_.Requests(pod, BERTH_REQUESTS_USE_STATUS)) ? Status::Ok() : Status::Skip();
  }

  Status Score(Cycle& cycle, const Pod& pod, Rows rows, std::span<int64_t> out) {
    ColumnList columns;
    const auto requests = host_.Requests(pod, BERTH_REQUESTS_USE_STATUS);
    if (!AsksForAny(requests)) {  // only if the profile does not call PreScore
      out[0] = 0;
      return Status::Uniform();
    }
    const size_t n = GatherColumns(cycle.snap(), resources_, requests, columns);
    if (n == 0) {
      out[0] = balance::Improvement(100, 100);
      return Status::Uniform();
    }
    const bool plain = rows.dense() && n == 2 && Small(columns[0]) && Small(columns[1]);
    if (plain && ScoreRange(rows, columns[0], columns[1], out)) return Status::Ok();
    rows.ForEachLive([&](uint32_t i, uint32_t row) { out[i] = balance::ScoreRow(columns, n, row); });
    return Status::Ok();
  }

 private:
  static constexpr size_t kChunk = 1024;  // absent columns are zeros on the stack, for at most this many rows

  bool AsksForAny(List<berth_amount> requests) const {
    return std::any_of(resources_.begin(), resources_.end(),
                       [&](const ScoredResource& resource) { return AmountOf(requests, resource.name) != 0; });
  }

  // Cells of an exact column are below 2^53, and so must be the sums.
  static bool Small(const ResourceColumns& c) { return c.exact && c.pod >= 0 && c.pod < int64_t{1} << 52; }

  // Returns false if some number is negative.
  static bool ScoreRange(const Rows& rows, const ResourceColumns& a, const ResourceColumns& b, std::span<int64_t> out) {
    static constexpr std::array<double, kChunk> kZeros{};
    for (uint32_t begin = 0; begin < rows.size(); begin += kChunk) {
      const uint32_t n = std::min<uint32_t>(kChunk, rows.size() - begin);
      const uint32_t first = rows.first() + begin;
      const bool positive =
          balance::ScoreTwo(a.allocatable_f64 + first, a.used_f64 == nullptr ? kZeros.data() : a.used_f64 + first,
                            static_cast<double>(a.pod), b.allocatable_f64 + first,
                            b.used_f64 == nullptr ? kZeros.data() : b.used_f64 + first, static_cast<double>(b.pod), n,
                            out.data() + begin);
      if (!positive) return false;
    }
    return true;
  }

  Host& host_;
  const std::vector<ScoredResource> resources_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NodeResourcesBalancedAllocation);
