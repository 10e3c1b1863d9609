// Decisions per second and their latencies in memory, with all nodes scored, one core, and the profile's plugins as
// libraries: the profile of scripts/bench, and the default profile with a plugin that reads the load of nodes.
#include <fstream>
#include <utility>

#include "decisions.h"

namespace berth::bench {
namespace {

std::string ClusterFile(int64_t nodes) { return BERTH_BENCH_DIR "/cluster-" + std::to_string(nodes) + ".json"; }

void Decisions(benchmark::State& state) {
  bench::Decisions decisions;
  for (auto _ : state) {
    api::InternTables intern;
    StillEngine engine(intern, BERTH_BENCH_DIR "/config.yaml");
    const LoadedCluster cluster = LoadCluster(intern, *engine, ClusterFile(state.range(0)));
    decisions = Decide(*engine, cluster.pods);
    state.SetIterationTime(decisions.TotalSeconds());
  }
  Report(state, std::move(decisions));
}

BENCHMARK(Decisions)->Arg(1000)->Arg(5000)->Arg(15000)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(3);

// load-watcher, as far as plugins of scheduler-plugins read it: each node has another load.
class LoadWatcher final : public plugin::HttpPort {
 public:
  void Get(plugin::HttpRequest, plugin::ApiPort::Done done) override { waiting_.push_back(std::move(done)); }
  // Answers the waiting requests. Returns their number.
  size_t Answer(const std::vector<std::string>& nodes) {
    const std::string body = Metrics(nodes);
    for (const auto& done : waiting_) done({200, body, "", ""});
    return std::exchange(waiting_, {}).size();
  }

 private:
  static std::string Metrics(const std::vector<std::string>& nodes) {
    std::string text = R"({"timestamp":1767225600,"source":"bench","window":{"duration":"15m","start":1767224700,)"
                       R"("end":1767225600},"data":{"NodeMetricsMap":{)";
    for (size_t i = 0; i < nodes.size(); ++i) {
      text += (i == 0 ? "\"" : ",\"") + nodes[i] + R"(":{"metrics":[)" + Metric("CPU", "AVG", i % 90) + "," +
              Metric("CPU", "STD", i % 7) + "," + Metric("Memory", "AVG", i % 80) + "," +
              Metric("Memory", "STD", i % 5) + "]}";
    }
    return text + "}}}";
  }
  static std::string Metric(const char* type, const char* rule, size_t percent) {
    return std::string(R"({"name":"use","rollup":"15m","type":")") + type + R"(","operator":")" + rule +
           R"(","value":)" + std::to_string(percent) + "}";
  }
  std::vector<plugin::ApiPort::Done> waiting_;
};

// The default profile; with a plugin if the name is not empty.
std::string ProfileWith(const std::string& plugin, const std::string& args) {
  const std::string file = BERTH_BENCH_DIR "/config-" + plugin + ".yaml";
  std::ofstream out(file);
  out << "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\npercentageOfNodesToScore: "
         "100\n";
  if (plugin.empty()) return file;
  out << "profiles:\n- plugins: {multiPoint: {enabled: [{name: " << plugin
      << "}]}}\n  pluginConfig:\n  - {name: " << plugin << ", args: " << args << "}\n";
  return file;
}

// The plugin has the load of 5,000 nodes. Argument: whether the pods request different amounts; equal pods share
// scores.
void LoadAwareDecisions(benchmark::State& state, const std::string& plugin, const std::string& args) {
  bench::Decisions decisions;
  for (auto _ : state) {
    api::InternTables intern;
    LoadWatcher watcher;
    StillEngine engine(intern, ProfileWith(plugin, args), {.http = &watcher});
    const LoadedCluster cluster = LoadCluster(
        intern, *engine, state.range(0) == 0 ? BERTH_BENCH_DIR "/cluster-5000-equal.json" : ClusterFile(5000));
    if (watcher.Answer(cluster.nodes) == 0 && !plugin.empty()) Die(plugin + " does not ask load-watcher");
    decisions = Decide(*engine, cluster.pods);
    state.SetIterationTime(decisions.TotalSeconds());
  }
  Report(state, std::move(decisions));
}

constexpr const char* kWatcher = "{watcherAddress: 'http://watcher'}";
constexpr const char* kPowers =
    "{WatcherAddress: 'http://watcher', NodePowerModel: {node-0: {k0: 471.7, k1: -91.5, k2: -0.0719}}}";

void Both(benchmark::internal::Benchmark* load_aware) {
  load_aware->Arg(0)->Arg(1)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(3);
}
BENCHMARK_CAPTURE(LoadAwareDecisions, none, "", "")->Apply(Both);
BENCHMARK_CAPTURE(LoadAwareDecisions, TargetLoadPacking, "TargetLoadPacking", kWatcher)->Apply(Both);
BENCHMARK_CAPTURE(LoadAwareDecisions, LoadVariation, "LoadVariationRiskBalancing", kWatcher)->Apply(Both);
BENCHMARK_CAPTURE(LoadAwareDecisions, LowRisk, "LowRiskOverCommitment", kWatcher)->Apply(Both);
BENCHMARK_CAPTURE(LoadAwareDecisions, Peaks, "Peaks", kPowers)->Apply(Both);

}  // namespace
}  // namespace berth::bench
