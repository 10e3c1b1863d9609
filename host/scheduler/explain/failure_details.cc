#include "scheduler/explain/failure_details.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/text.h"
#include "scheduler/explain/facts.h"
#include "scheduler/explain/node_groups.h"

namespace berth::explain {
namespace {

constexpr size_t kMaxNotedTaints = 3, kMaxOthers = 3;

using CountedTaints = std::vector<std::pair<std::string, uint32_t>>;

std::string Closest(const cache::Cache& cache, const Lack& lack) {
  const std::string_view resource = cache.intern().ids.Text(lack.resource);
  return cache.node(lack.row)->name + " lacks " + AmountText(resource, lack.amount) + " " + std::string(resource);
}

void Add(CountedTaints& all, CountedTaints more) {
  for (auto& [taint, nodes] : more) {
    auto same = [&taint = taint](const auto& one) { return one.first == taint; };
    auto it = std::find_if(all.begin(), all.end(), same);
    if (it == all.end()) it = all.emplace(it, std::move(taint), 0);
    it->second += nodes;
  }
}

std::string TaintsText(CountedTaints taints) {
  std::stable_sort(taints.begin(), taints.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(kMaxNotedTaints, taints.size()); ++i) {
    const auto& [taint, nodes] = taints[i];
    texts.push_back(taint + " (" + std::to_string(nodes) + (nodes == 1 ? " node)" : " nodes)"));
  }
  if (taints.size() > kMaxNotedTaints)
    texts.push_back("and " + std::to_string(taints.size() - kMaxNotedTaints) + " more");
  return base::Join(texts, ", ");
}

}  // namespace

std::string FailureDetails::DetailsOf(const engine::ClusterView& view, const api::Pod& pod,
                                      const decisions::NodeTable& table) {
  std::vector<std::string> closest, others;
  CountedTaints taints;
  for (const Group& group : GroupsOf(table)) {
    if (const Lack lack = FindLack(view, pod, group); lack.resource != base::kNoId) {
      closest.push_back(Closest(view.cache, lack));
    } else if (group.plugin == "TaintToleration") {
      Add(taints, TaintsOf(view.cache, pod, group));
    } else if (const std::string detail = DetailOf(view, pod, group); !detail.empty() && others.size() < kMaxOthers) {
      others.push_back(group.plugin + ": " + detail + ".");
    }
  }
  std::vector<std::string> sentences;
  if (!closest.empty()) sentences.push_back("Closest: " + base::Join(closest, ", ") + ".");
  if (!taints.empty()) sentences.push_back("Taints: " + TaintsText(std::move(taints)) + ".");
  sentences.insert(sentences.end(), others.begin(), others.end());
  return base::Join(sentences, " ");
}

}  // namespace berth::explain
