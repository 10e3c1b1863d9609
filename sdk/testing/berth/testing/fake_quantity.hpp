// Kubernetes' quantities as the fake host reads them: sign, digits, a fraction, and a decimal or binary suffix or an
// exponent.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::sdk::testing {

__extension__ typedef __int128 Wide;

// The factor of the suffix, in thousandths of a millionth; 0: there is no such suffix.
Wide NanosOfSuffix(std::string_view suffix);

// The value as a count of 1/10^scale (scale 0 or 3), rounded away from zero; nullopt: the text is no quantity.
std::optional<int64_t> ReadQuantity(std::string_view text, uint32_t scale);

}  // namespace berth::sdk::testing
