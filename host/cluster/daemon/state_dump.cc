#include "cluster/daemon/state_dump.h"

#include <algorithm>

#include "telemetry/log/log.h"

namespace berth::daemon {
namespace {

std::string PodText(const api::Pod& pod, const api::InternTables& intern) {
  const std::string_view nominated = intern.ids.Text(pod.abi.nominated_node);
  std::string text = "name: " + std::string(pod.name()) + ", namespace: " + std::string(intern.ids.Text(pod.abi.ns)) +
                     ", uid: " + std::string(pod.uid()) + ", phase: " + pod.phase() + ", nominated node: ";
  return text.append(nominated) + "\n";
}

int64_t Cell(const cache::Cache& cache, uint32_t what, base::Id key, uint32_t row) {
  berth_column column{};
  column.size = sizeof column;
  if (!cache.FindColumn(what, key, &column)) return 0;
  return static_cast<const int64_t*>(column.cells)[row];
}

std::string ResourcesText(const cache::Cache& cache, uint32_t what, uint32_t row, const api::InternTables& intern) {
  return "{MilliCPU: " + std::to_string(Cell(cache, what, intern.cpu, row)) +
         ", Memory: " + std::to_string(Cell(cache, what, intern.memory, row)) +
         ", EphemeralStorage: " + std::to_string(Cell(cache, what, intern.ephemeral_storage, row)) + "}";
}

}  // namespace

std::string NodesText(engine::Engine& engine, const api::InternTables& intern) {
  std::string text;
  cache::Cache& cache = engine.cache();
  for (const uint32_t row : cache.order()) {
    const auto& pods = cache.pods(row);
    text += "Node name: " + cache.node(row)->name +
            "\nDeleted: false\nRequested Resources: " + ResourcesText(cache, BERTH_NODE_REQUESTED, row, intern) +
            "\nAllocatable Resources:" + ResourcesText(cache, BERTH_NODE_ALLOCATABLE, row, intern) +
            "\nScheduled Pods(number: " + std::to_string(pods.size()) + "):\n";
    for (const api::PodRef& pod : pods) text += PodText(*pod, intern);
    std::vector<api::PodRef> nominated;
    engine.queue().NominatedPodsForNode(cache.node(row)->abi.name, nominated);
    if (!nominated.empty()) {
      text += "Nominated Pods(number: " + std::to_string(nominated.size()) + "):\n";
      for (const api::PodRef& pod : nominated) text += PodText(*pod, intern);
    }
    text += "\n";
  }
  return text;
}

std::string QueueText(engine::Engine& engine, const api::InternTables& intern) {
  const queue::PendingPods pending = engine.queue().Pending();
  std::string text = pending.summary + "\n";
  for (const queue::QueuedPod* pod : pending.pods) text += PodText(*pod->pod, intern);
  return text;
}

void LogState(engine::Engine& engine, const api::InternTables& intern) {
  const std::vector<std::string> differences = engine.CheckConsistency();
  for (const std::string& difference : differences) log::Error("Cache mismatch", {{"difference", difference}});
  if (differences.empty()) log::Info("Cache comparer finished", {{"differences", 0}});
  log::Info("Dump of cached NodeInfo", {{"nodes", NodesText(engine, intern)}});
  log::Info("Dump of scheduling queue", {{"queue", QueueText(engine, intern)}});
}

}  // namespace berth::daemon
