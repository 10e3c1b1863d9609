// The cost of the plugin boundary: a Score plugin that copies one int64 column of 5,000 rows, compared with the same
// loop in the program. The result is the difference of the minimums, per row.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "plugin/instance/cycle.h"
#include "plugin/instance/instance.h"
#include "policy/assembly/library_catalog.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/batch_call.h"
#include "scheduler/framework/cluster_services.h"

namespace berth::bench {
namespace {

constexpr uint32_t kRows = 5000;

[[noreturn]] void Die(const std::string& why) {
  std::cerr << why << "\n";
  std::exit(1);
}

// A cluster, one instance of a plugin, and the arguments of a call.
class Boundary {
 public:
  explicit Boundary(const std::string& plugin) : services_(intern_), cache_(intern_) {
    framework::AddClusterServices(services_);
    for (uint32_t i = 0; i < kRows; ++i) {
      auto node = api::DecodeNode(intern_, R"({"metadata":{"name":"n)" + std::to_string(i) +
                                               R"("},"status":{"allocatable":{"cpu":"4","pods":"110"}}})");
      if (!node) Die(node.error().message);
      cache_.SetNode(*node);
    }
    assembly::LibraryCatalog catalog({BERTH_BOUNDARY_PLUGIN_DIR}, {});
    const auto offer = catalog.Find(plugin);
    if (!offer) Die(offer.error().message);
    auto library = catalog.Open(*offer);
    if (!library) Die(library.error().message);
    auto instance = plugin::Instance::Create({*library, offer->plugin, plugin, "bench", {}, {}}, services_);
    if (!instance) Die(instance.error().message);
    instance_ = *instance;
    if (auto done = instance_->Activate(); !done) Die(done.error().message);
    auto pod = api::DecodePod(intern_, R"({"metadata":{"name":"p","namespace":"d"},"spec":{"containers":[]}})");
    if (!pod) Die(pod.error().message);
    pod_ = *pod;
    plugin::BeginCycle(cycle_, 1, cache_.snap(), 1);
    cycle_.reasons = &reasons_;
    out_.resize(cache_.capacity() + framework::kGuardCells);
    rows_ = {sizeof rows_, kRows, 0, 0, nullptr, cache_.live().words()};
    if (const berth_pre_score* table = instance_->tables().pre_score) {
      table->pre_score(instance_->raw(), &cycle_, &pod_->abi, &rows_);
    }
  }

  bool Ask() {
    framework::RowCost cost;
    berth_status raw = BERTH_SUCCESS;
    return framework::AskRows(*instance_, "Score", rows_, out_.data(), cost, nullptr, &raw,
                              [&](const berth_rows& part, int64_t* out) {
                                return instance_->tables().score->score(instance_->raw(), &cycle_, &pod_->abi, &part,
                                                                        out);
                              })
        .ok();
  }
  const int64_t* Cells() {
    berth_column column{};
    column.size = sizeof column;
    const auto* snapshot = static_cast<const berth_snapshot*>(services_.Find(BERTH_SERVICE_SNAPSHOT));
    if (snapshot->column(cache_.snap(), BERTH_NODE_POD_COUNT, 0, &column) != 0) Die("there is no column of pod counts");
    return static_cast<const int64_t*>(column.cells);
  }
  int64_t* out() { return out_.data(); }

 private:
  api::InternTables intern_;
  plugin::Services services_;
  cache::Cache cache_;
  plugin::ReasonTable reasons_;
  std::shared_ptr<plugin::Instance> instance_;
  api::PodRef pod_;
  berth_cycle cycle_;
  berth_rows rows_{};
  std::vector<int64_t> out_;
};

__attribute__((noinline)) void Copy(const int64_t* from, int64_t* to, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) to[i] = from[i];
}

void PerRow(benchmark::State& state) {
  state.counters["ns_per_row"] = benchmark::Counter(static_cast<double>(state.iterations()) * kRows * 1e-9,
                                                    benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void NoBoundary(benchmark::State& state) {
  Boundary boundary("CopyBatch");
  const int64_t* cells = boundary.Cells();
  for (auto _ : state) {
    Copy(cells, boundary.out(), kRows);
    benchmark::ClobberMemory();
  }
  PerRow(state);
}

void Through(benchmark::State& state, const char* plugin) {
  Boundary boundary(plugin);
  for (auto _ : state) {
    if (!boundary.Ask()) state.SkipWithError("the plugin failed");
    benchmark::ClobberMemory();
  }
  PerRow(state);
}

double Least(const std::vector<double>& runs) { return *std::min_element(runs.begin(), runs.end()); }

BENCHMARK(NoBoundary)->Repetitions(20)->MinTime(0.05)->ComputeStatistics("min", Least)->ReportAggregatesOnly();
BENCHMARK_CAPTURE(Through, Batch, "CopyBatch")
    ->Repetitions(20)
    ->MinTime(0.05)
    ->ComputeStatistics("min", Least)
    ->ReportAggregatesOnly();
BENCHMARK_CAPTURE(Through, PerNode, "CopyPerNode")
    ->Repetitions(20)
    ->MinTime(0.05)
    ->ComputeStatistics("min", Least)
    ->ReportAggregatesOnly();
BENCHMARK_CAPTURE(Through, PerNodeAsking, "AskPerNode")
    ->Repetitions(20)
    ->MinTime(0.05)
    ->ComputeStatistics("min", Least)
    ->ReportAggregatesOnly();

}  // namespace
}  // namespace berth::bench
