// Decisions of an engine without effects on a cluster that scripts/bench has written: throughput, latencies,
// allocations. A step is the work of kube-scheduler's scheduling thread for one pod: pop, cycle, assume, start of
// binding. Neither side measures the binding itself. Thread: the caller's is the scheduling thread.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "still_engine.h"

namespace berth::bench {

// The objects of a cluster file; the engine has them after its next step.
struct LoadedCluster {
  std::vector<std::string> nodes;  // names
  size_t pods = 0;                 // all of them wait
};
LoadedCluster LoadCluster(api::InternTables& intern, engine::Engine& engine, const std::string& file);

struct Decisions {
  std::vector<double> latencies_ns;
  uint64_t allocations = 0;
  double TotalSeconds() const;
};
// Places all pods but the first hundred, which warm the caches up. Ends the program if a pod is not placed.
Decisions Decide(engine::Engine& engine, size_t pods);

void Report(benchmark::State& state, Decisions decisions);

}  // namespace berth::bench
