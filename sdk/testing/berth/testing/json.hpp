// JSON into FakeValue, so that a test can write an object as it would be in a manifest.
#pragma once

#include <string_view>

#include "berth/testing/value.hpp"

namespace berth::sdk::testing {

// Throws std::invalid_argument with the place where it stopped understanding.
FakeValue ParseJson(std::string_view text);

}  // namespace berth::sdk::testing
