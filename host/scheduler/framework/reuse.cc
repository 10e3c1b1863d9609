#include "scheduler/framework/reuse.h"

#include <algorithm>

#include "base/random.h"

namespace berth::framework {

bool MayKeep(const berth_reuse& reuse) {
  constexpr uint32_t kBoth = BERTH_REUSE | BERTH_TOTAL;
  return (reuse.flags & kBoth) == kBoth && reuse.pod_aspects >> PodKey::kParts == 0 &&
         reuse.row_aspects >> cache::kRowAspects == 0 && reuse.cluster_aspects >> cache::kClusterAspects == 0;
}

PodKey MakePodKey(const berth_pod& pod, uint64_t aspects) {
  PodKey key;
  key.hash = aspects;
  // Only declared parts are mixed; the aspects, which are mixed first, say which parts these are.
  const auto part = [&](size_t i, uint64_t value) {
    if (((aspects >> i) & 1) == 0) return;
    key.parts[i] = value;
    key.hash = base::Mix(key.hash ^ value);
  };
  part(0, pod.labels->content);
  part(1, pod.images->content);
  part(2, pod.resources->content);
  part(3, pod.ports->content);
  part(4, pod.tolerations->content);
  part(5, pod.node_affinity->content);
  part(6, pod.ns);
  part(7, static_cast<uint32_t>(pod.priority));
  part(8, pod.node_name);
  part(9, pod.pod_affinity->content);
  part(10, pod.spread->content);
  part(11, pod.volumes->content);
  part(12, pod.claims->content);
  part(13, pod.controller->content);
  part(14, pod.has & ~uint64_t{BERTH_POD_HAS_PRIORITY});
  return key;
}

bool StaleRows::Read(const cache::Cache& cache, base::RowLog& log, base::RowLog::Position& position,
                     std::vector<uint32_t>& rows) {
  const auto changed = log.Since(position);
  position = log.end();
  if (!changed || changed->size() > cache.n_nodes()) return false;
  for (uint32_t row : *changed) {
    if (row >= cache.capacity() || seen_.Test(row) || !cache.live().Test(row)) continue;
    seen_.Set(row);
    rows.push_back(row);
  }
  return true;
}

bool StaleRows::Pass(base::RowLog& log, base::RowLog::Position& position) {
  log.Since(log.end());
  position = log.end();
  return true;
}

Stale StaleRows::Find(cache::Cache& cache, base::RowLog& own, const berth_reuse& reuse, KeptEntry& entry,
                      std::vector<uint32_t>& rows) {
  rows.clear();
  bool everything = entry.fresh || entry.capacity != cache.capacity();
  for (int a = 0; a < cache::kClusterAspects; ++a) {
    if (((reuse.cluster_aspects >> a) & 1) == 0) continue;
    everything = everything || entry.cluster[static_cast<size_t>(a)] != cache.cluster_generation(a);
    entry.cluster[static_cast<size_t>(a)] = cache.cluster_generation(a);
  }
  if (seen_.size() < cache.capacity()) seen_.Resize(cache.capacity());
  const uint64_t aspects = reuse.row_aspects | uint64_t{1} << cache::kArrivals;
  for (int a = 0; a < cache::kRowLogs; ++a) {
    if (((aspects >> a) & 1) == 0) continue;
    base::RowLog::Position& position = entry.read[static_cast<size_t>(a)];
    everything = everything ? Pass(cache.log(a), position) : !Read(cache, cache.log(a), position, rows);
  }
  everything = everything ? Pass(own, entry.read_own) : !Read(cache, own, entry.read_own, rows);
  for (uint32_t row : rows) seen_.Clear(row);
  entry.fresh = false;
  entry.capacity = cache.capacity();
  if (everything) return Stale::kEverything;
  if (rows.empty()) return Stale::kNothing;
  if (!std::is_sorted(rows.begin(), rows.end())) std::sort(rows.begin(), rows.end());
  return Stale::kSomeRows;
}

}  // namespace berth::framework
