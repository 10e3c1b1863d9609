// Text from elsewhere, for a terminal. Thread: any; pure functions.
#pragma once

#include <string>

namespace berth::text {

// '?' in place of each control character, also those of U+0080 to U+009F: a terminal must not obey them.
std::string Harmless(std::string text);
// The same, but lines stay lines.
std::string HarmlessLines(std::string text);

}  // namespace berth::text
