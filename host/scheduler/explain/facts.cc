#include "scheduler/explain/facts.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "api/encode/encode.h"
#include "api/resources.h"
#include "api/taints_against.h"
#include "base/text.h"

namespace berth::explain {
namespace {

constexpr std::string_view kInsufficient = "Insufficient ";
constexpr size_t kMaxTaints = 3;

std::string BinaryText(int64_t bytes) {
  static constexpr std::array<const char*, 5> kSuffixes{"", "Ki", "Mi", "Gi", "Ti"};
  size_t suffix = 0;
  while (suffix + 1 < kSuffixes.size() && bytes % 1024 == 0 && bytes != 0) {
    bytes /= 1024;
    ++suffix;
  }
  return std::to_string(bytes) + kSuffixes[suffix];
}

std::string LackText(const cache::Cache& cache, const Lack& lack) {
  const std::string_view resource = cache.intern().ids.Text(lack.resource);
  return "the closest, " + cache.node(lack.row)->name + ", lacks " + AmountText(resource, lack.amount);
}

std::string TaintText(const cache::Cache& cache, const api::Pod& pod, const Group& group) {
  const auto taints = TaintsOf(cache, pod, group);
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(kMaxTaints, taints.size()); ++i) texts.push_back(taints[i].first);
  if (taints.size() > kMaxTaints) texts.push_back("and " + std::to_string(taints.size() - kMaxTaints) + " more");
  return base::Join(texts, ", ");
}

std::string SelectorText(const cache::Cache& cache, const api::Pod& pod) {
  const json::Value manifest = encode::PodManifest(cache.intern(), pod);
  std::vector<std::string> texts;
  if (const json::Value* selector = manifest.FindPath("spec.nodeSelector")) {
    for (const auto& [key, value] : selector->object()) texts.push_back(key + "=" + value.string());
  }
  if (manifest.FindPath("spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution") != nullptr) {
    texts.emplace_back("required node affinity");
  }
  return base::Join(texts, ", ");
}

}  // namespace

std::string AmountText(std::string_view resource, int64_t amount) {
  if (resource == "cpu") return amount % 1000 == 0 ? std::to_string(amount / 1000) : std::to_string(amount) + "m";
  if (resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-")) {
    return BinaryText(amount);
  }
  return std::to_string(amount);
}

FreeColumn::FreeColumn(const cache::Cache& cache, base::Id resource) {
  if (!cache.FindColumn(BERTH_NODE_ALLOCATABLE, resource, &allocatable_)) allocatable_.cells = nullptr;
  if (!cache.FindColumn(BERTH_NODE_REQUESTED, resource, &requested_)) requested_.cells = nullptr;
}

// Source: pkg/scheduler/framework/runtime/framework.go addGENominatedPods.
FreeColumn FreeFor(const engine::ClusterView& view, const api::Pod& pod, base::Id resource) {
  const cache::Cache& cache = view.cache;
  const queue::Nominator& nominator = view.nominator;
  FreeColumn free(cache, resource);
  nominator.ForEachNode([&](base::Id node) {
    const uint32_t row = cache.RowOf(node);
    if (row == cache::kNoRow) return;
    nominator.ForEachOn(node, [&](const api::PodRef& other) {
      if (other->uid() == pod.uid() || other->abi.priority < pod.abi.priority) return;
      free.Reserve(row, other->resources().Accounted(cache.intern()).requested->Get(resource));
    });
  });
  return free;
}

Lack FindLack(const engine::ClusterView& view, const api::Pod& pod, const Group& group) {
  const cache::Cache& cache = view.cache;
  if (group.plugin != "NodeResourcesFit" || !group.reason.starts_with(kInsufficient)) return {};
  const std::string_view resource = std::string_view(group.reason).substr(kInsufficient.size());
  const api::RequestSums& requests = *pod.resources().Accounted(cache.intern()).requested;
  Lack lack{.amount = std::numeric_limits<int64_t>::max()};
  for (const berth_amount& request : requests.amounts) {
    if (cache.intern().ids.Text(request.name) != resource) continue;
    const FreeColumn free = FreeFor(view, pod, request.name);
    for (uint32_t row : group.rows) {
      if (row >= cache.capacity() || cache.node(row) == nullptr) continue;
      const int64_t missing = request.value - free.At(row);
      if (missing > 0 && missing < lack.amount) lack = {.resource = request.name, .row = row, .amount = missing};
    }
  }
  return lack;
}

std::vector<std::pair<std::string, uint32_t>> TaintsOf(const cache::Cache& cache, const api::Pod& pod,
                                                       const Group& group) {
  std::map<std::string, uint32_t> counts;
  for (uint32_t row : group.rows) {
    if (row >= cache.capacity() || cache.node(row) == nullptr) continue;
    for (std::string& taint : api::FindTaintsAgainst(cache.intern(), pod, *cache.node(row)).refusing) {
      ++counts[std::move(taint)];
    }
  }
  std::vector<std::pair<std::string, uint32_t>> taints(counts.begin(), counts.end());
  std::stable_sort(taints.begin(), taints.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return taints;
}

std::string DetailOf(const engine::ClusterView& view, const api::Pod& pod, const Group& group) {
  const cache::Cache& cache = view.cache;
  const Lack lack = FindLack(view, pod, group);
  if (lack.resource != base::kNoId) return LackText(cache, lack);
  if (group.plugin == "TaintToleration") return TaintText(cache, pod, group);
  if (group.plugin.starts_with("NodeAffinity")) return SelectorText(cache, pod);
  return "";
}

}  // namespace berth::explain
