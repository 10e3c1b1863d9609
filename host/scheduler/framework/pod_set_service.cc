#include <algorithm>
#include <cstring>

#include "scheduler/cache/cache.h"
#include "scheduler/framework/count_services.h"

namespace berth::framework {
namespace {

int32_t Counts(const berth_snap* snap, const berth_pod_set* set, berth_pod_counts* out) {
  if (!cache::IsKnown(*set)) return -1;
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
