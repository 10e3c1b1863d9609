// The service table of berth/matching.h. Uses the selector blocks of host/api. Thread: as the tags in that header
// say.
#pragma once

#include "berth/matching.h"

namespace berth::framework {

const berth_matching* MatchingService();

}  // namespace berth::framework
