// The service tables of berth/draft/domains.h and berth/draft/pod_sets.h, over what the cache counts. Thread: as the
// tables' tags say.
#pragma once

#include "berth/draft/domains.h"
#include "berth/draft/pod_sets.h"

namespace berth::framework {

const berth_domain_columns* DomainService();
const berth_pod_sets* PodSetService();

}  // namespace berth::framework
