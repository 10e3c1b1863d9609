#include "decisions.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "counting_new.h"
#include "simulator/manifests/manifest_loader.h"

namespace berth::bench {
namespace {

constexpr size_t kWarmUp = 100;

class IntoEngine final : public manifests::Listener {
 public:
  explicit IntoEngine(engine::Engine& engine) : engine_(engine) {}
  void SetNode(api::NodeRef node) override {
    loaded.nodes.emplace_back(node->name);
    engine_.Post(engine::NodeSet{std::move(node)});
  }
  void SetPod(api::PodRef pod) override { engine_.Post(engine::PodSet{std::move(pod)}), ++loaded.pods; }
  void RemoveNode(std::string_view) override {}
  void RemovePod(std::string_view) override {}
  LoadedCluster loaded;

 private:
  engine::Engine& engine_;
};

double At(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<size_t>(share * static_cast<double>(sorted.size() - 1))];
}

}  // namespace

LoadedCluster LoadCluster(api::InternTables& intern, engine::Engine& engine, const std::string& file) {
  IntoEngine listener(engine);
  manifests::Loader loader(intern, listener, 1'767'225'600 * base::kSecond);
  if (auto done = loader.Apply({file}, manifests::Applying::kStart); !done) Die(done.error().message);
  return std::move(listener.loaded);
}

double Decisions::TotalSeconds() const { return std::accumulate(latencies_ns.begin(), latencies_ns.end(), 0.0) * 1e-9; }

Decisions Decide(engine::Engine& engine, size_t pods) {
  for (size_t i = 0; i < kWarmUp; ++i) engine.Step();
  Decisions decisions;
  decisions.latencies_ns.reserve(pods);
  const uint64_t before = Allocations();
  for (size_t i = kWarmUp; i < pods; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const bool worked = engine.Step();
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
    if (!worked) Die("a pod is missing from the queue");
    decisions.latencies_ns.push_back(static_cast<double>(took.count()));
  }
  decisions.allocations = Allocations() - before;
  if (engine.attempts_in_flight() != pods) Die("not every pod was placed");
  return decisions;
}

void Report(benchmark::State& state, Decisions decisions) {
  std::vector<double>& latencies = decisions.latencies_ns;
  const double n = static_cast<double>(latencies.size());
  std::sort(latencies.begin(), latencies.end());
  state.counters["decisions_per_second"] = benchmark::Counter(n, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["p50_us"] = At(latencies, 0.5) / 1000;
  state.counters["p99_us"] = At(latencies, 0.99) / 1000;
  state.counters["allocations_per_decision"] = static_cast<double>(decisions.allocations) / n;
}

}  // namespace berth::bench
