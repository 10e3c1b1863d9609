// Quarantine and swaps: what is barred may stay so, but nothing is brought into force that loses a plugin to it.
// Thread: any.
#pragma once

#include <string>
#include <vector>

#include "framework/profile.h"

namespace berth::swap {

// What a candidate would lose to quarantine that the generation in force has, or would add without having it. A library
// that is itself in force may be lost: that it came into quarantine is why.
std::vector<std::string> NewlyBarred(const framework::ProfileSet& in_force,
                                     const std::vector<framework::Barred>& wanted);

}  // namespace berth::swap
