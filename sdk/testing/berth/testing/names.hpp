// Names of parametrized tests, made from the words of a case. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace berth::sdk::testing {

// GoogleTest accepts only letters and digits: "one victim, no reply" -> "OneVictimNoReply".
std::string TestNameOf(std::string_view words);

}  // namespace berth::sdk::testing
