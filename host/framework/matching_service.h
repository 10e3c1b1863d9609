// The service table of berth/draft/matching.h over the selector blocks of host/api. Thread: as the table's tags say.
#pragma once

#include "berth/draft/matching.h"

namespace berth::framework {

const berth_matching* MatchingService();

}  // namespace berth::framework
