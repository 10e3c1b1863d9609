// Names of parametrised tests out of a case's own words. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace berth::sdk::testing {

// GoogleTest takes letters and digits: "one victim, no reply" -> "OneVictimNoReply".
std::string TestNameOf(std::string_view words);

}  // namespace berth::sdk::testing
