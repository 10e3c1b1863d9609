#include <algorithm>
#include <cstring>

#include "plugin/instance/known_id.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/count_services.h"

namespace berth::framework {
namespace {

int32_t DomainsOf(const berth_snap* snap, berth_id key, berth_domains* out) {
  if (key == base::kNoId || !plugin::IsKnownId(snap->cache->intern().ids, key)) return -1;
  const cache::Domains& domains = snap->cache->DomainsOf(key);
  const uint32_t size =
      std::min<uint32_t>(out->size, sizeof(berth_domains));  // the struct of an older plugin can be shorter
  const berth_domains full{size,
                           static_cast<uint32_t>(domains.values.size()),
                           domains.of_row.data(),
                           domains.values.data(),
                           domains.n_rows.data(),
                           domains.numbering};
  std::memcpy(out, &full, size);
  return 0;
}

}  // namespace

const berth_domain_columns* DomainService() {
  static const berth_domain_columns table{sizeof table, 0, DomainsOf};
  return &table;
}

}  // namespace berth::framework
