// What is otherwise in one generation of policy than in another, in words. Thread: any.
#pragma once

#include <string>
#include <vector>

#include "framework/profile.h"

namespace berth::swap {

// "profile P: added", "profile P: plugin X: library a.so version 1.1 sha256 0123456789ab", "... args", "... weight 2,
// was 1", "... enabled at filter", "... percentageOfNodesToScore 50, was 0". Empty when both decide alike.
std::vector<std::string> ChangesBetween(const framework::ProfileSet& before, const framework::ProfileSet& after);

}  // namespace berth::swap
