// How well a zone suits a request, from 0 to 100. A zone that does not list a resource has none of it.
// Source: pkg/noderesourcetopology/{least,most}_allocated.go and balanced_allocation.go of
// kubernetes-sigs/scheduler-plugins. Pure; thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../common/go_math.h"
#include "row_zones.h"

namespace plugins::node_topology {

enum class Strategy : uint8_t { kMostAllocated, kLeastAllocated, kBalancedAllocation, kLeastNumaNodes };

class ZoneScore {
 public:
  ZoneScore(Strategy strategy, const RowZones& zones) : strategy_(strategy), zones_(zones) {}

  // 0 also if the request is empty.
  int64_t Of(const std::vector<Want>& wants, uint32_t zone) {
    return strategy_ == Strategy::kBalancedAllocation ? Balance(wants, zone) : Mean(wants, zone);
  }

 private:
  int64_t Mean(const std::vector<Want>& wants, uint32_t zone) const {
    int64_t sum = 0, weights = 0;
    for (const Want& want : wants) {
      const int64_t weight = zones_.Of(want).weight;
      sum = WrapAdd(sum, WrapMul(Allocated(want, zone), weight));
      weights = WrapAdd(weights, weight);
    }
    return weights == 0 ? 0 : WrapDiv(sum, weights);
  }
  int64_t Allocated(const Want& want, uint32_t zone) const {
    const int64_t available = Available(want, zone);
    if (available == 0 || want.amount > available) return 0;
    const int64_t of = Value(want, available), request = Value(want, want.amount);
    return WrapDiv(WrapMul(strategy_ == Strategy::kMostAllocated ? request : WrapSub(of, request), 100), of);
  }

  // 100 minus the variance of the shares of the zone that the pod takes. A single share has no variance.
  int64_t Balance(const std::vector<Want>& wants, uint32_t zone) {
    shares_.clear();
    for (const Want& want : wants) {
      const int64_t of = Value(want, Available(want, zone));
      const double share = of == 0 ? 1 : static_cast<double>(Value(want, want.amount)) / static_cast<double>(of);
      if (share > 1) return 0;
      shares_.push_back(share);
    }
    return shares_.empty() ? 0 : static_cast<int64_t>((1 - Variance()) * 100);
  }
  // As gonum's stat.Variance computes it.
  double Variance() const {
    if (shares_.size() < 2) return 0;
    const auto n = static_cast<double>(shares_.size());
    double sum = 0, squares = 0, compensation = 0;
    for (const double share : shares_) sum += share;
    for (const double share : shares_) {
      const double distance = share - sum / n;
      squares += distance * distance;
      compensation += distance;
    }
    return (squares - compensation * compensation / n) / (n - 1);
  }

  int64_t Available(const Want& want, uint32_t zone) const {
    const int64_t cell = zones_.Cells(want.resource)[zone];
    return cell == kUnlisted ? 0 : cell;
  }
  // Quantity.Value: CPUs are rounded up to whole ones.
  int64_t Value(const Want& want, int64_t amount) const {
    if (!zones_.Of(want).cpu) return amount;
    return amount / 1000 + (amount % 1000 > 0 ? 1 : 0);
  }

  const Strategy strategy_;
  const RowZones& zones_;
  std::vector<double> shares_;
};

}  // namespace plugins::node_topology
