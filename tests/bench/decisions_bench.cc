// Decisions per second and their latencies in memory: the engine's thread on a cluster that scripts/bench has written,
// with all nodes scored, one core, and the profile's plugins as libraries. A step is the work of kube-scheduler's
// scheduling thread for one pod: pop, cycle, assume, start of binding. Neither side measures the binding itself.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

#include "counting_new.h"
#include "simulator/manifests/manifest_loader.h"
#include "still_engine.h"

namespace berth::bench {
namespace {

using Ns = std::chrono::nanoseconds;

class IntoEngine final : public manifests::Listener {
 public:
  explicit IntoEngine(engine::Engine& engine) : engine_(engine) {}
  void SetNode(api::NodeRef node) override { engine_.Post(engine::NodeSet{std::move(node)}); }
  void SetPod(api::PodRef pod) override { engine_.Post(engine::PodSet{std::move(pod)}), ++pods; }
  void RemoveNode(std::string_view) override {}
  void RemovePod(std::string_view) override {}
  size_t pods = 0;

 private:
  engine::Engine& engine_;
};

double At(std::vector<double>& sorted, double share) {
  return sorted[static_cast<size_t>(share * static_cast<double>(sorted.size() - 1))];
}

void Decisions(benchmark::State& state) {
  const std::string file = BERTH_BENCH_DIR "/cluster-" + std::to_string(state.range(0)) + ".json";
  std::vector<double> latencies;
  uint64_t allocations = 0;
  for (auto _ : state) {
    api::InternTables intern;
    StillEngine engine(intern, BERTH_BENCH_DIR "/config.yaml");
    IntoEngine listener(*engine);
    manifests::Loader loader(intern, listener, 1'767'225'600 * base::kSecond);
    if (auto done = loader.Apply({file}, manifests::Applying::kStart); !done) Die(done.error().message);
    constexpr size_t kWarmUp = 100;
    for (size_t i = 0; i < kWarmUp; ++i) engine->Step();
    const uint64_t before = Allocations();
    double total = 0;
    latencies.clear();
    latencies.reserve(listener.pods);
    for (size_t i = kWarmUp; i < listener.pods; ++i) {
      const auto start = std::chrono::steady_clock::now();
      const bool worked = engine->Step();
      const double ns = static_cast<double>(Ns(std::chrono::steady_clock::now() - start).count());
      if (!worked) Die("a pod is missing from the queue");
      total += ns;
      latencies.push_back(ns);
    }
    allocations = Allocations() - before;
    if (engine->attempts_in_flight() != listener.pods) Die("not every pod was placed");
    state.SetIterationTime(total * 1e-9);
  }
  const double n = static_cast<double>(latencies.size());
  std::sort(latencies.begin(), latencies.end());
  state.counters["decisions_per_second"] = benchmark::Counter(n, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["p50_us"] = At(latencies, 0.5) / 1000;
  state.counters["p99_us"] = At(latencies, 0.99) / 1000;
  state.counters["allocations_per_decision"] = static_cast<double>(allocations) / n;
}

BENCHMARK(Decisions)->Arg(1000)->Arg(5000)->Arg(15000)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(3);

}  // namespace
}  // namespace berth::bench
