// Numbers on node labels, and how they become scores. Pure. Thread: any.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace priority {

// The whole text as a decimal integer of 64 bits; nullopt: it is not one.
inline std::optional<int64_t> ReadInteger(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Leaves scores alone that are 0...100 all. Otherwise scales them so that the range they span together with 0 becomes
// 0...100: order is kept, and so are proportions when none is negative. Fractions are cut.
inline void ScaleIfNeeded(std::span<int64_t> scores) {
  if (scores.empty()) return;
  const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
  if (*least >= 0 && *most <= 100) return;
  const int64_t low = std::min<int64_t>(*least, 0), high = std::max<int64_t>(*most, 0);
  const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  // Room for the product with 100: beyond 2^57 the last bits are below any whole score.
  const int shift = range >> 57 == 0 ? 0 : 7;
  for (int64_t& score : scores) {
    const uint64_t above = static_cast<uint64_t>(score) - static_cast<uint64_t>(low);
    score = static_cast<int64_t>((above >> shift) * 100 / (range >> shift));
  }
}

}  // namespace priority
