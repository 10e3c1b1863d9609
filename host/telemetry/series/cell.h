// The value of a series: threads record into it without a lock. A record may be visible before another one that came
// first; each is counted once. Thread: any. Source of the split into whole numbers and fractions:
// github.com/prometheus/client_golang prometheus/counter.go.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "telemetry/series/definition.h"

namespace berth::series {

// What a histogram has counted. counts[i]: values in the i-th bucket only, the one up to +Inf last.
struct Distribution {
  std::vector<uint64_t> counts;
  double sum = 0;
};

class alignas(64) Cell {
 public:
  // bounds: of the buckets of a histogram, ascending; must outlive the cell.
  Cell(Kind kind, std::span<const double> bounds)
      : kind_(kind),
        bounds_(bounds),
        counts_(kind == Kind::kHistogram ? std::make_unique<std::atomic<uint64_t>[]>(bounds.size() + 1) : nullptr) {}
  Cell(const Cell&) = delete;

  // Each ignores values and kinds that it is not for.
  void Add(double by) {
    if (!std::isfinite(by)) return;
    if (kind_ == Kind::kGauge) value_.fetch_add(by, std::memory_order_relaxed);
    if (kind_ != Kind::kCounter || by < 0) return;
    if (by < kWholeBelow && by == std::floor(by)) {
      whole_.fetch_add(static_cast<uint64_t>(by), std::memory_order_relaxed);
    } else {
      value_.fetch_add(by, std::memory_order_relaxed);
    }
  }
  void Set(double value) {
    if (kind_ == Kind::kGauge) value_.store(value, std::memory_order_relaxed);
  }
  void Observe(double value) {
    if (kind_ != Kind::kHistogram || !std::isfinite(value)) return;
    const auto bucket = std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin();
    counts_[static_cast<size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
    value_.fetch_add(value, std::memory_order_relaxed);
  }

  // Of a counter or gauge.
  double Value() const {
    return static_cast<double>(whole_.load(std::memory_order_relaxed)) + value_.load(std::memory_order_relaxed);
  }
  // Of a histogram. The sum may lack values that threads record at this moment.
  Distribution Counted() const {
    Distribution all;
    all.sum = value_.load(std::memory_order_relaxed);
    for (size_t i = 0; i <= bounds_.size(); ++i) all.counts.push_back(counts_[i].load(std::memory_order_relaxed));
    return all;
  }

 private:
  static constexpr double kWholeBelow = 4503599627370496.0;  // 2^52: above it every double is whole

  const Kind kind_;
  std::atomic<uint64_t> whole_{0};  // of a counter
  std::atomic<double> value_{0};    // a gauge, the fractions of a counter, or the sum of a histogram
  const std::span<const double> bounds_;
  const std::unique_ptr<std::atomic<uint64_t>[]> counts_;
};

}  // namespace berth::series
