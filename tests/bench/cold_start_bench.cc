// A cold start: the duration of the step that receives 15,000 nodes and 150,000 pods bound to them, without decoding.
// argument: which of them arrive first.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "still_engine.h"

namespace berth::bench {
namespace {

enum First : int64_t { kNodesFirst, kPodsFirst };

std::vector<api::NodeRef> Nodes(api::InternTables& intern, uint32_t n) {
  std::vector<api::NodeRef> nodes;
  for (uint32_t i = 0; i < n; ++i) {
    const std::string name = "node-" + std::to_string(i);
    nodes.push_back(OrDie(
        api::DecodeNode(intern, R"({"metadata":{"name":")" + name + R"(","labels":{"kubernetes.io/hostname":")" + name +
                                    R"(","topology.kubernetes.io/zone":"zone-)" + std::to_string(i % 10) +
                                    R"("}},"status":{"allocatable":{"cpu":"64","memory":"256Gi","pods":"110"}}})")));
  }
  return nodes;
}

// Pods of a thousand templates, bound to the nodes in turn.
std::vector<api::PodRef> Pods(api::InternTables& intern, uint32_t n, uint32_t n_nodes) {
  std::vector<api::PodRef> pods;
  for (uint32_t i = 0; i < n; ++i) {
    const std::string number = std::to_string(i);
    pods.push_back(OrDie(api::DecodePod(
        intern, R"({"metadata":{"namespace":"default","name":"pod-)" + number + R"(","uid":"uid-)" + number +
                    R"(","labels":{"app":"app-)" + std::to_string(i % 1000) + R"("}},"spec":{"nodeName":"node-)" +
                    std::to_string(i % n_nodes) +
                    R"(","containers":[{"name":"c","resources":{"requests":{"cpu":"100m","memory":"1Gi"}}}]}})")));
  }
  return pods;
}

template <class Message, class Object>
void Tell(engine::Engine& engine, const std::vector<Object>& objects) {
  for (const Object& object : objects) engine.Post(Message{object});
}

void ColdStart(benchmark::State& state) {
  const auto n_nodes = static_cast<uint32_t>(state.range(1)), n_pods = static_cast<uint32_t>(state.range(2));
  api::InternTables intern;
  const std::vector<api::NodeRef> nodes = Nodes(intern, n_nodes);
  const std::vector<api::PodRef> pods = Pods(intern, n_pods, n_nodes);
  for (auto _ : state) {
    state.PauseTiming();
    {
      StillEngine engine(intern, "");
      if (state.range(0) == kNodesFirst) Tell<engine::NodeSet>(*engine, nodes);
      Tell<engine::PodSet>(*engine, pods);
      if (state.range(0) == kPodsFirst) Tell<engine::NodeSet>(*engine, nodes);
      state.ResumeTiming();
      engine->Step();
      state.PauseTiming();
      const cache::Cache& cache = engine->cache();
      if (cache.n_nodes() != n_nodes || cache.n_pods() != n_pods) Die("not everything came in");
      cache.live().ForEach([&](uint32_t row) {
        if (cache.pods(row).size() != n_pods / n_nodes) Die("a pod is not on its node");
      });
    }
    state.ResumeTiming();
  }
}
BENCHMARK(ColdStart)
    ->ArgNames({"pods_first", "nodes", "pods"})
    ->Args({kNodesFirst, 1500, 15'000})
    ->Args({kPodsFirst, 1500, 15'000})
    ->Args({kNodesFirst, 15'000, 150'000})
    ->Args({kPodsFirst, 15'000, 150'000})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace berth::bench
