// Scores nodes by their utilization with the pod. NodeResourcesFit and the legacy plugins for its strategies share it.
// Source: pkg/scheduler/framework/plugins/noderesources/resource_allocation.go. Thread: created in init, then read by
// [parallel] calls.
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "allocation_strategies.h"

namespace plugins {

class AllocationScorer {
 public:
  enum class Strategy { kLeastAllocated, kMostAllocated, kRequestedToCapacityRatio };

  // shape: for kRequestedToCapacityRatio. Throws if there are more resources than kMaxScoredResources.
  AllocationScorer(berth::sdk::Host& host, Strategy strategy, const std::vector<ResourceSpec>& resources,
                   allocation::Shape shape)
      : strategy_(strategy), shape_(std::move(shape)) {
    if (resources.size() > kMaxScoredResources) throw std::invalid_argument("more than 32 resources");
    resources_ = InternResources(host, resources, true);
  }

  // The pod's request is the sum over its containers, with 100m and 200Mi for a container without a request. Pod-level
  // resources and resizes do not count, because upstream's scorer never enables them.
  berth::sdk::Status Score(berth::sdk::Host& host, berth::sdk::Cycle& cycle, const berth::sdk::Pod& pod,
                           berth::sdk::Rows rows, std::span<int64_t> out) const {
    ColumnList columns;
    const auto requests = host.Requests(pod, BERTH_REQUESTS_SKIP_POD_LEVEL | BERTH_REQUESTS_NON_MISSING);
    const size_t n = GatherColumns(cycle.snap(), resources_, requests, columns);
    if (n == 0) {
      out[0] = 0;
      return berth::sdk::Status::Uniform();
    }
    if (rows.dense() && strategy_ != Strategy::kRequestedToCapacityRatio && ScoreRange(rows, columns, n, out)) {
      return berth::sdk::Status::Ok();
    }
    rows.ForEachLive([&](uint32_t i, uint32_t row) { out[i] = ScoreRow(columns, n, row); });
    return berth::sdk::Status::Ok();
  }

 private:
  static constexpr size_t kChunk = 512;  // rows scored at once, on the stack

  int64_t ScoreRow(const ColumnList& columns, size_t n, uint32_t row) const {
    switch (strategy_) {
      case Strategy::kLeastAllocated: return allocation::WeightedMean(columns, n, row, allocation::LeastScore);
      case Strategy::kMostAllocated: return allocation::WeightedMean(columns, n, row, allocation::MostScore);
      case Strategy::kRequestedToCapacityRatio: return allocation::RatioMean(columns, n, row, shape_);
    }
    return 0;
  }

  // Returns false if a number is too large for doubles; the content of `out` is then undefined.
  bool ScoreRange(const berth::sdk::Rows& rows, const ColumnList& columns, size_t n, std::span<int64_t> out) const {
    static constexpr std::array<double, kChunk> kZeros{};
    const auto add = strategy_ == Strategy::kLeastAllocated ? allocation::AddLeast : allocation::AddMost;
    for (size_t c = 0; c < n; ++c) {
      if (!columns[c].exact || columns[c].pod < 0 || columns[c].pod >= int64_t{1} << 46) return false;
    }
    const auto range = [&columns](size_t i, uint32_t first) -> allocation::RangeOfOne {
      const ResourceColumns& c = columns[i];
      return {c.allocatable_f64 + first, c.used_f64 == nullptr ? kZeros.data() : c.used_f64 + first,
              static_cast<double>(c.pod), static_cast<double>(c.weight)};
    };
    const bool plain = strategy_ == Strategy::kLeastAllocated && n == 2 && Plain(columns[0]) && Plain(columns[1]);
    for (uint32_t begin = 0; begin < rows.size(); begin += kChunk) {
      const uint32_t size = std::min<uint32_t>(kChunk, rows.size() - begin);
      const uint32_t first = rows.first() + begin;
      if (plain) {
        if (!allocation::LeastMeans(range(0, first), range(1, first), size, out.data() + begin)) return false;
        continue;
      }
      std::array<double, kChunk> sum{}, weights{};
      for (size_t i = 0; i < n; ++i) {
        const allocation::RangeOfOne r = range(i, first);
        if (!add(r.capacity, r.used, r.pod, r.weight, size, sum.data(), weights.data())) return false;
      }
      allocation::DivideMeans(sum.data(), weights.data(), size, out.data() + begin);
    }
    return true;
  }

  static bool Plain(const ResourceColumns& c) { return c.weight >= 1 && c.weight <= allocation::kPlainWeight; }

  Strategy strategy_;
  allocation::Shape shape_;
  std::vector<ScoredResource> resources_;
};

// Reads args.NAME, a list of {utilization, score}. Scores in args have the range 0..10.
inline allocation::Shape ReadShape(berth::sdk::ArgsReader& in, const char* name) {
  allocation::Shape shape;
  in.Each(name, [&](berth::sdk::ArgsReader& point, uint32_t) {
    allocation::ShapePoint& p = shape.emplace_back();
    point.Get("utilization", p.utilization);
    point.Get("score", p.score);
    p.score *= 10;
  });
  return shape;
}

}  // namespace plugins
