// The differences between two generations of policy, in words. Thread: any.
#pragma once

#include <string>
#include <vector>

#include "scheduler/framework/profile.h"

namespace berth::reload {

// "profile P: added", "profile P: plugin X: library a.so version 1.1 sha256 0123456789ab", "... args", "... weight 2,
// was 1", "... enabled at filter", "... percentageOfNodesToScore 50, was 0". Empty when both make the same decisions.
std::vector<std::string> ChangesBetween(const framework::ProfileSet& before, const framework::ProfileSet& after);

}  // namespace berth::reload
