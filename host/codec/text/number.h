// Numbers and booleans as Go's strconv reads and writes them. Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::text {

// strconv.ParseBool: 1, t, T, TRUE, true, True, 0, f, F, FALSE, false, False. Error: strconv.ParseBool: parsing "x":
// invalid syntax.
base::Result<bool> ParseBool(std::string_view text);
// strconv.ParseInt with base 0 and without underscores. bits: 32 or 64. Errors: strconv.ParseInt: parsing "x": invalid
// syntax; ... value out of range.
base::Result<int64_t> ParseInt(std::string_view text, int bits);
// Removes the prefix of the number's base: 0x (16), 0b (2), 0o or a leading 0 (8), else none (10). Returns the base.
int TakeBase(std::string_view& digits);
// strconv.FormatFloat(number, 'g', -1, 64 or 32): "50", "0.1", "1e+10", with an exponent below 1e-4 and from 1e6 on.
std::string FloatText(double number);
std::string FloatText(float number);

}  // namespace berth::text
