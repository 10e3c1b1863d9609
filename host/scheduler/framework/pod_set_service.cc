#include <algorithm>
#include <cstring>

#include "plugin/instance/known_id.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/count_services.h"

namespace berth::framework {
namespace {

bool HasKnownIds(const base::InternTable& ids, const berth_pod_match& match) {
  for (uint32_t i = 0; i < match.labels.n; ++i) {
    const berth_kv& pair = *BERTH_AT(match.labels, berth_kv, i);
    if (!plugin::IsKnownId(ids, pair.key) || !plugin::IsKnownId(ids, pair.value)) return false;
  }
  for (uint32_t i = 0; i < match.namespaces.n; ++i) {
    if (!plugin::IsKnownId(ids, *BERTH_AT(match.namespaces, berth_id, i))) return false;
  }
  return true;
}

bool HasKnownIds(const base::InternTable& ids, const berth_pod_set& set) {
  for (uint32_t i = 0; i < set.all_of.n; ++i) {
    if (!HasKnownIds(ids, *BERTH_AT(set.all_of, berth_pod_match, i))) return false;
  }
  return true;
}

int32_t Counts(const berth_snap* snap, const berth_pod_set* set, berth_pod_counts* out) {
  if (!cache::IsKnown(*set) || !HasKnownIds(snap->cache->intern().ids, *set)) return -1;
  const cache::PodCounts& counts = snap->cache->CountPods(*set);
  const uint32_t size = std::min<uint32_t>(out->size, sizeof(berth_pod_counts));  // older plugins: shorter
  const berth_pod_counts full{size, 0, counts.total, counts.total == 0 ? nullptr : counts.of_row.data()};
  std::memcpy(out, &full, size);
  return 0;
}

int32_t Contains(const berth_host*, const berth_pod_set* set, const berth_pod* pod) {
  const cache::PodTraits traits{pod->ns, pod->labels, pod->deletion_unix_ns != BERTH_NO_TIME};
  return cache::IsKnown(*set) && cache::Contains(*set, traits) ? 1 : 0;
}

}  // namespace

const berth_pod_sets* PodSetService() {
  static const berth_pod_sets table{sizeof table, 0, Counts, Contains};
  return &table;
}

}  // namespace berth::framework
