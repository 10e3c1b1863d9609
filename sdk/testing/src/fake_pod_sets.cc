#include "berth/testing/fake_pod_sets.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::sdk::testing {

bool PodMatches(const berth_pod_match& match, const berth_pod& pod) {
  const List<Id> namespaces(match.namespaces);
  const bool everywhere = (match.flags & BERTH_POD_MATCH_EVERY_NAMESPACE) != 0;
  if (!everywhere && std::find(namespaces.begin(), namespaces.end(), pod.ns) == namespaces.end()) return false;
  for (const berth_kv& pair : List<berth_kv>(match.labels)) {
    if (Labels(pod.labels).Get(pair.key) != pair.value) return false;
  }
  return match.selector == nullptr || SelectorMatches(*match.selector, *pod.labels);
}

bool PodSetHas(const berth_pod_set& set, const berth_pod& pod) {
  if ((set.flags & BERTH_POD_SET_NOT_DELETED) != 0 && pod.deletion_unix_ns != BERTH_NO_TIME) return false;
  const List<berth_pod_match> all_of(set.all_of);
  return std::all_of(all_of.begin(), all_of.end(),
                     [&pod](const berth_pod_match& match) { return PodMatches(match, pod); });
}

bool HasForeignSelector(const berth_pod_set& set) {
  const List<berth_pod_match> all_of(set.all_of);
  return std::any_of(all_of.begin(), all_of.end(), [](const berth_pod_match& match) {
    return match.selector != nullptr && !TextOf(match.selector->content).starts_with("selector\x01");
  });
}

berth_pod_counts CountPods(const FakeCluster& cluster, const berth_pod_set& set, Arena& arena) {
  std::vector<int32_t> of_row(cluster.rows().size());
  int64_t total = 0;
  for (size_t row = 0; row < of_row.size(); ++row) {
    for (const auto& pod : cluster.rows()[row].pods) of_row[row] += PodSetHas(set, pod->pod) ? 1 : 0;
    total += of_row[row];
  }
  const auto* cells = total == 0 ? nullptr : static_cast<const int32_t*>(arena.Exact(of_row).ptr);
  return {sizeof(berth_pod_counts), 0, total, cells};
}

}  // namespace berth::sdk::testing
