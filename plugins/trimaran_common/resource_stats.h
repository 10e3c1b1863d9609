// The measured use of a resource of a node in the resource's own unit. Pure; thread: any. Source: CreateResourceStats
// and GetMuSigma in pkg/trimaran/resourcestats.go of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <algorithm>
#include <cstdint>

#include "node_load.h"

namespace plugins::trimaran {

// As a share of the capacity, from 0 to 1.
struct MuSigma {
  double mu = 0, sigma = 0;
};

// A resource of a node. Memory is in MiB.
struct ResourceStats {
  double used = 0, deviation = 0, request = 0, capacity = 0;

  static constexpr double kMiB = 1. / 1024. / 1024.;

  static ResourceStats OfCpu(const Usage& usage, int64_t milli, int64_t request_milli) {
    return Of(usage, static_cast<double>(milli), static_cast<double>(request_milli));
  }
  static ResourceStats OfMemory(const Usage& usage, int64_t bytes, int64_t request_bytes) {
    return Of(usage, static_cast<double>(bytes) * kMiB, static_cast<double>(request_bytes) * kMiB);
  }
  MuSigma Shares() const {
    if (capacity <= 0) return {};
    return {std::clamp((used + request) / capacity, 0., 1.), std::clamp(deviation / capacity, 0., 1.)};
  }

 private:
  static ResourceStats Of(const Usage& usage, double capacity, double request) {
    return {usage.average * capacity / 100, usage.deviation * capacity / 100, request, capacity};
  }
};

}  // namespace plugins::trimaran
