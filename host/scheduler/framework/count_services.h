// The service tables of berth/domains.h and berth/pod_sets.h. The cache counts.
// Thread: as the tags in these headers say.
#pragma once

#include "berth/domains.h"
#include "berth/pod_sets.h"

namespace berth::framework {

const berth_domain_columns* DomainService();
const berth_pod_sets* PodSetService();

}  // namespace berth::framework
