// What the recording of decisions costs, and how fast it answers. Off and on alternate in one run, because the machine
// is noisy; compare "cost", not the times of two runs.
#include <algorithm>
#include <chrono>
#include <utility>

#include "decisions.h"
#include "scheduler/explain/decision_json.h"
#include "scheduler/explain/explain_pod.h"

namespace berth::bench {
namespace {

constexpr size_t kWarmUp = 100;

std::string ClusterFile(const std::string& name) { return BERTH_BENCH_DIR "/cluster-" + name + ".json"; }

constexpr double kOff = -1;

engine::EngineOptions Recording(double share) {
  engine::EngineOptions options;
  options.decisions.time_share = share;
  if (share == kOff) options.decisions.limits.decisions = 0;
  return options;
}

struct Run {
  bench::Decisions decisions;
  size_t tables = 0, bytes = 0;
};

// A ring that is full uses its memory again, as after the first minutes of a scheduler.
void FillRing(decisions::Ring& ring) {
  for (size_t i = 0; i < 2 * ring.limits().decisions; ++i) {
    ring.Add({},
             {.pod = "default/a-deployment-5d4f8c7b9d-x2x4z",
              .uid = "01234567-89ab-cdef-0123-456789abcdef",
              .profile = "default-scheduler",
              .node = "node-1234.zone-a.example.com"},
             {});
  }
}

Run Place(const std::string& cluster, double share) {
  api::InternTables intern;
  StillEngine engine(intern, BERTH_BENCH_DIR "/config.yaml", Recording(share), Bindings::kEnd);
  const LoadedCluster loaded = LoadCluster(intern, *engine, ClusterFile(cluster));
  FillRing(engine->decisions().ring());
  Run run;
  for (size_t i = 0; i < loaded.pods; ++i) {
    const auto start = std::chrono::steady_clock::now();
    engine->Step();
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - start;
    if (i >= kWarmUp) run.decisions.latencies_ns.push_back(static_cast<double>(took.count()));
    engine.EndBindings();
  }
  run.tables = engine->decisions().ring().n_tables();
  run.bytes = engine->decisions().ring().bytes();
  return run;
}

double P99(std::vector<double> latencies) {
  std::sort(latencies.begin(), latencies.end());
  return latencies[latencies.size() * 99 / 100];
}

// The argument is the share of the time in thousandths: 0 records no tables, 1000 one for every attempt.
void RecordedDecisions(benchmark::State& state, const std::string& cluster) {
  const double share = static_cast<double>(state.range(0)) / 1000;
  double off = 0, on = 0, off_p99 = 0, on_p99 = 0;
  Run last;
  for (auto _ : state) {
    const Run without = Place(cluster, kOff);
    last = Place(cluster, share);
    off += without.decisions.TotalSeconds();
    on += last.decisions.TotalSeconds();
    off_p99 += P99(without.decisions.latencies_ns);
    on_p99 += P99(last.decisions.latencies_ns);
    state.SetIterationTime(last.decisions.TotalSeconds());
  }
  state.counters["cost_percent"] = (on / off - 1) * 100;
  state.counters["p99_cost_percent"] = (on_p99 / off_p99 - 1) * 100;
  state.counters["decisions"] = static_cast<double>(last.decisions.latencies_ns.size());
  state.counters["tables"] = static_cast<double>(last.tables);
  state.counters["bytes"] = static_cast<double>(last.bytes);
}

void Shares(benchmark::internal::Benchmark* recorded) {
  recorded->Arg(0)->Arg(5)->Arg(1000)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(10);
}
BENCHMARK_CAPTURE(RecordedDecisions, equal, "5000-equal")->Apply(Shares);
BENCHMARK_CAPTURE(RecordedDecisions, different, "5000")->Apply(Shares);

// The time of the scheduling thread for "why", and of another thread for the text of a decision with all nodes.
void Answers(benchmark::State& state) {
  api::InternTables intern;
  StillEngine engine(intern, BERTH_BENCH_DIR "/config.yaml", Recording(1), Bindings::kEnd);
  const LoadedCluster loaded = LoadCluster(intern, *engine, ClusterFile(std::to_string(state.range(0))));
  const auto huge = api::DecodePod(intern, R"({"metadata":{"name":"huge","namespace":"default","uid":"huge"},)"
                                           R"("spec":{"schedulerName":"default-scheduler","containers":[{"name":"c",)"
                                           R"("resources":{"requests":{"cpu":"5000"}}}]}})");
  engine->Post(engine::PodSet{*huge});
  for (size_t i = 0; i <= loaded.pods; ++i) {
    engine->Step();
    engine.EndBindings();
  }
  size_t bytes = 0;
  double text_ns = 0;
  for (auto _ : state) {
    auto why = explain::ExplainPod(*engine, intern, 0, "default/huge");
    benchmark::DoNotOptimize(why);
    state.PauseTiming();
    const auto began = std::chrono::steady_clock::now();
    bytes = explain::DecisionText(*engine->decisions().ring().Newest()).size();
    text_ns += std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count();
    state.ResumeTiming();
  }
  state.counters["text_ms"] = text_ns / 1e6 / static_cast<double>(state.iterations());
  state.counters["text_bytes"] = static_cast<double>(bytes);
}
BENCHMARK(Answers)->Arg(5000)->Arg(15000)->Unit(benchmark::kMillisecond)->Iterations(20);

}  // namespace
}  // namespace berth::bench
