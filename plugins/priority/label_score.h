// Converts numbers in node labels to scores. Pure. Thread: any.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace priority {

// The whole text as a 64-bit decimal integer; nullopt: invalid.
inline std::optional<int64_t> ReadInteger(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Does not change scores that are all in 0..100. Otherwise scales the range from the lowest to the highest score and 0
// to 0..100. This keeps the order, and the proportions if no score is negative. Truncates fractions.
inline void ScaleIfNeeded(std::span<int64_t> scores) {
  if (scores.empty()) return;
  const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
  if (*least >= 0 && *most <= 100) return;
  const int64_t low = std::min<int64_t>(*least, 0), high = std::max<int64_t>(*most, 0);
  const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  // Avoids overflow of the product with 100. Beyond 2^57, the lowest bits do not change an integer score.
  const int shift = range >> 57 == 0 ? 0 : 7;
  for (int64_t& score : scores) {
    const uint64_t above = static_cast<uint64_t>(score) - static_cast<uint64_t>(low);
    score = static_cast<int64_t>((above >> shift) * 100 / (range >> shift));
  }
}

}  // namespace priority
