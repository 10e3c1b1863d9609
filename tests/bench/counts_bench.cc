// The cost of the cache's domains and sets of pods: 5,000 nodes in 10 zones, 50,000 pods of 1,000 templates in 20
// namespaces. "Counts" is per query. "Placed" is a pod assumed and forgotten, which is most of the cache's work for a
// decision, with the largest number of sets.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "api/content.h"
#include "scheduler/cache/cache.h"

namespace berth::bench {
namespace {

constexpr uint32_t kNodes = 5000, kPods = 50'000, kTemplates = 1000, kNamespaces = 20;

template <class T>
T OrDie(base::Result<T> result) {
  if (result) return std::move(*result);
  std::cerr << result.error().message << "\n";
  std::exit(1);
}

api::NodeRef NodeOf(api::InternTables& intern, uint32_t i, uint32_t zone) {
  const std::string name = "n" + std::to_string(i);
  return OrDie(api::DecodeNode(intern, R"({"metadata":{"name":")" + name + R"(","labels":{"host":")" + name +
                                           R"(","zone":"z)" + std::to_string(zone) +
                                           R"("}},"status":{"allocatable":{"cpu":"64","pods":"110"}}})"));
}
api::PodRef PodOf(api::InternTables& intern, uint32_t i, uint32_t node) {
  const std::string app = std::to_string(i % kTemplates), ns = std::to_string(i % kTemplates % kNamespaces);
  return OrDie(api::DecodePod(
      intern, R"({"metadata":{"namespace":"ns)" + ns + R"(","name":"p)" + std::to_string(i) +
                  R"(","labels":{"app":"a)" + app + R"(","tier":"front","hash":"6d4cf56db"}},"spec":{"nodeName":"n)" +
                  std::to_string(node) + R"(","containers":[{"name":"c","resources":{"requests":{"cpu":"10m"}}}]}})"));
}

class Counted {
 public:
  Counted() {
    for (uint32_t i = 0; i < kNodes; ++i) cache.SetNode(NodeOf(intern, i, i % 10));
    for (uint32_t i = 0; i < kPods; ++i) {
      if (!cache.AddPod(PodOf(intern, i, i % kNodes))) std::abort();
    }
    for (uint32_t i = 0; i < kTemplates; ++i) {
      const std::string app = "a" + std::to_string(i);
      api::SelectorPool pool;
      pool.labels.push_back({"app", app});
      selectors_.push_back(api::MakeSelector(intern, pool, {true, {0, 1}, {}}));
      namespaces_.emplace_back(intern.ids, "ns" + std::to_string(i % kNamespaces));
    }
  }
  // The permanent pods of template i.
  const cache::PodCounts& Ask(size_t i) {
    const berth_id ns = namespaces_[i].get();
    const berth_pod_match match{0, 0, &selectors_[i]->abi, {nullptr, 0, sizeof(berth_kv)}, {&ns, 1, sizeof ns}};
    return cache.CountPods({sizeof(berth_pod_set), BERTH_POD_SET_NOT_DELETED, {&match, 1, sizeof match}});
  }

  api::InternTables intern;
  base::OwnedId zone{intern.ids, "zone"}, host{intern.ids, "host"};
  cache::Cache cache{intern};

 private:
  std::vector<api::SelectorRef> selectors_;
  std::vector<base::OwnedId> namespaces_;
};

Counted& Cluster() {
  static const auto cluster = std::make_unique<Counted>();
  return *cluster;
}

// A set that the cache keeps.
void CountsAgain(benchmark::State& state) {
  Counted& c = Cluster();
  for (auto _ : state) benchmark::DoNotOptimize(c.Ask(0).of_row.data());
}
BENCHMARK(CountsAgain);

// Every query is for a set that was removed: the cost of a first use, including the removal of another set.
void CountsFirst(benchmark::State& state) {
  Counted& c = Cluster();
  size_t i = 0;
  for (auto _ : state) {
    c.cache.BeginCycle();
    benchmark::DoNotOptimize(c.Ask(i++ % kTemplates).of_row.data());
  }
}
BENCHMARK(CountsFirst);

// argument: the number of sets.
void Placed(benchmark::State& state) {
  Counted c;
  for (int64_t i = 0; i < state.range(0); ++i) c.Ask(static_cast<size_t>(i));
  const api::PodRef pod = PodOf(c.intern, kPods, 17);
  for (auto _ : state) {
    if (!c.cache.Assume(pod) || !c.cache.Forget(pod->uid())) std::abort();
  }
}
BENCHMARK(Placed)->Arg(0)->Arg(1)->Arg(256);

void DomainsAgain(benchmark::State& state) {
  Counted& c = Cluster();
  for (auto _ : state) benchmark::DoNotOptimize(c.cache.DomainsOf(c.zone.get()).of_row.data());
}
BENCHMARK(DomainsAgain);

// After one node moved to another zone.
void DomainsAfterAChange(benchmark::State& state) {
  Counted& c = Cluster();
  const api::NodeRef nodes[] = {NodeOf(c.intern, 7, 7), NodeOf(c.intern, 7, 8)};
  size_t i = 0;
  for (auto _ : state) {
    c.cache.SetNode(nodes[++i % 2]);
    benchmark::DoNotOptimize(c.cache.DomainsOf(c.zone.get()).of_row.data());
  }
}
BENCHMARK(DomainsAfterAChange);

// The first use of a key for which every node is a separate domain.
void HostDomainsFirst(benchmark::State& state) {
  Counted& c = Cluster();
  std::vector<base::OwnedId> others;
  for (size_t i = 0; i < cache::DomainIndex::kKeys; ++i) others.emplace_back(c.intern.ids, "key" + std::to_string(i));
  for (auto _ : state) {
    benchmark::DoNotOptimize(c.cache.DomainsOf(c.host.get()).of_row.data());
    state.PauseTiming();
    for (const base::OwnedId& key : others) {
      c.cache.BeginCycle();
      c.cache.DomainsOf(key.get());
    }
    state.ResumeTiming();
  }
}
BENCHMARK(HostDomainsFirst)->Iterations(200);

}  // namespace
}  // namespace berth::bench
