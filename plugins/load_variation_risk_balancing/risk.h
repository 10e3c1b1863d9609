// The risk that a resource of a node is overloaded: its average use and the deviation from it. Pure; thread: any.
// Source: pkg/trimaran/loadvariationriskbalancing/analysis.go of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../trimaran_common/node_load.h"
#include "../trimaran_common/resource_stats.h"

namespace plugins::load_variation {

// How much the deviation counts.
struct Caution {
  double margin = 1, sensitivity = 1;

  // sigma: a share, from 0 to 1.
  double Of(double sigma) const {
    if (sensitivity >= 0) sigma = std::pow(sigma, 1 / sensitivity);
    return std::clamp(sigma * margin, 0., 1.);
  }
};

// The part that does not depend on the pod.
struct ResourceRisk {
  double used = 0, capacity = 0, caution = 0;
  bool known = false;

  static ResourceRisk Of(const trimaran::ResourceStats& measured, const Caution& caution) {
    trimaran::ResourceStats stats = measured;
    if (stats.capacity <= 0) return {.known = true};
    stats.used = std::clamp(stats.used, 0., stats.capacity);
    stats.deviation = std::clamp(stats.deviation, 0., stats.capacity);
    return {stats.used, stats.capacity, caution.Of(stats.Shares().sigma), true};
  }

  // From 0 to 100; higher is safer. A node without the resource has 0.
  double ScoreWith(double request) const {
    if (capacity <= 0) return 0;
    const double mu = std::clamp((used + std::max(request, 0.)) / capacity, 0., 1.);
    return (1. - (mu + caution) / 2) * 100;
  }
};

// A node is as risky as the worse of the resources that are known.
struct NodeRisk {
  ResourceRisk cpu, memory;

  int64_t ScoreWith(double request_milli, double request_mib) const {
    const double cpu_score = cpu.known ? cpu.ScoreWith(request_milli) : 0;
    const double memory_score = memory.known ? memory.ScoreWith(request_mib) : 0;
    const bool both = cpu.known && memory.known;
    return static_cast<int64_t>(
        std::round(both ? std::min(memory_score, cpu_score) : std::max(memory_score, cpu_score)));
  }
};

}  // namespace plugins::load_variation
