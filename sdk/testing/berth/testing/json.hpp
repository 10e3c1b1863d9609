// Parses JSON into a FakeValue, so that a test can write an object as in a manifest.
#pragma once

#include <string_view>

#include "berth/testing/value.hpp"

namespace berth::sdk::testing {

// Throws std::invalid_argument with the position of the first error.
FakeValue ParseJson(std::string_view text);

}  // namespace berth::sdk::testing
