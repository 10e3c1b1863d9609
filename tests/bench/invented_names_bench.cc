// The cost of resource names that tenants choose: a pod assumed and forgotten, and a trial of a row, while pods on
// 1,000 nodes request many names that no node offers. heap_bytes: memory of those pods in the cache.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <memory>
#include <string>
#include <vector>

#include "scheduler/cache/overlay.h"
#include "still_engine.h"

namespace berth::bench {
namespace {

constexpr uint32_t kNodes = 1000, kPods = 10'000;

double HeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

api::PodRef PodOf(api::InternTables& intern, const std::string& name, uint32_t node, const std::string& resource) {
  return OrDie(api::DecodePod(intern, R"({"metadata":{"namespace":"tenant","name":")" + name +
                                          R"("},"spec":{"nodeName":"n)" + std::to_string(node) +
                                          R"(","containers":[{"name":"c","resources":{"requests":{)" +
                                          R"("cpu":"10m",")" + resource + R"(":"1"}}}]}})"));
}

// The number of pods does not depend on the number of names, so nothing else differs.
struct Tenants {
  explicit Tenants(uint32_t n_names) {
    for (uint32_t i = 0; i < kNodes; ++i) {
      const std::string text =
          R"({"metadata":{"name":"n)" + std::to_string(i) + R"("},"status":{"allocatable":{"cpu":"64","pods":"110"}}})";
      cache.SetNode(OrDie(api::DecodeNode(intern, text)));
    }
    for (uint32_t i = 0; i < kPods; ++i) {
      const std::string resource = n_names == 0 ? "memory" : "tenant.example.com/r" + std::to_string(i % n_names);
      pods.push_back(PodOf(intern, "p" + std::to_string(i), i % kNodes, resource));
    }
    const double before = HeapBytes();
    for (const api::PodRef& pod : pods) {
      if (!cache.AddPod(pod)) Die("a pod is refused");
    }
    heap_bytes = HeapBytes() - before;
  }

  api::InternTables intern;
  std::vector<api::PodRef> pods;
  cache::Cache cache{intern};
  double heap_bytes = 0;
};

// argument of all: the number of names.
void InventedNamesPlaced(benchmark::State& state) {
  Tenants t(static_cast<uint32_t>(state.range(0)));
  const api::PodRef pod = PodOf(t.intern, "placed", 17, "memory");
  for (auto _ : state) {
    if (!t.cache.Assume(pod) || !t.cache.Forget(pod->uid())) Die("a pod is refused");
  }
  state.counters["heap_bytes"] = t.heap_bytes;
}
BENCHMARK(InventedNamesPlaced)->Arg(0)->Arg(1)->Arg(10'000);

void InventedNamesTried(benchmark::State& state) {
  Tenants t(static_cast<uint32_t>(state.range(0)));
  const api::PodRef guest = PodOf(t.intern, "guest", 17, "memory");
  cache::Overlay overlay(t.cache);
  const uint32_t row = t.cache.RowOf(t.intern.ids.Find("n17"));
  for (auto _ : state) {
    overlay.Begin(row);
    overlay.Add(guest->abi);
    overlay.End();
  }
}
BENCHMARK(InventedNamesTried)->Arg(0)->Arg(1)->Arg(10'000);

// A pending pod that requests one of the names: a plugin requests its column once in each cycle.
void InventedNamesAsked(benchmark::State& state) {
  Tenants t(static_cast<uint32_t>(state.range(0)));
  const base::OwnedId name(t.intern.ids, "tenant.example.com/r0");
  for (auto _ : state) {
    t.cache.BeginCycle();
    berth_column column{sizeof column, 0, 0, 0, nullptr};
    benchmark::DoNotOptimize(t.cache.FindColumn(BERTH_NODE_REQUESTED, name.get(), &column));
  }
}
BENCHMARK(InventedNamesAsked)->Arg(0)->Arg(1)->Arg(10'000);

}  // namespace
}  // namespace berth::bench
