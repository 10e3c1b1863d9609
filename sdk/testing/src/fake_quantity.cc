#include "berth/testing/fake_quantity.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace berth::sdk::testing {

Wide NanosOfSuffix(std::string_view suffix) {
  constexpr std::string_view kDecimal = "num kMGTPE";
  constexpr std::string_view kBinary = "KMGTPE";
  const auto power = [](Wide base, size_t n) {
    Wide out = 1;
    for (size_t i = 0; i < n; ++i) out *= base;
    return out;
  };
  if (suffix.empty()) suffix = " ";
  if (suffix.size() == 2 && suffix[1] == 'i') {
    const size_t at = kBinary.find(suffix[0]);
    return at == std::string_view::npos ? 0 : power(1024, at + 1) * 1'000'000'000;
  }
  if ((suffix[0] == 'e' || suffix[0] == 'E') && suffix.size() > 1) {
    int exponent = 0;
    for (const char c : suffix.substr(1)) {
      if (std::isdigit(static_cast<unsigned char>(c)) == 0) return 0;
      exponent = exponent * 10 + (c - '0');
    }
    return exponent > 18 ? 0 : power(10, static_cast<size_t>(exponent)) * 1'000'000'000;
  }
  const size_t at = kDecimal.find(suffix[0]);
  return suffix.size() != 1 || at == std::string_view::npos ? 0 : power(1000, at);
}

std::optional<int64_t> ReadQuantity(std::string_view text, uint32_t scale) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  Wide digits = 0, divisor = 1;
  bool any = false, fraction = false;
  size_t i = 0;
  for (; i < text.size() && (text[i] == '.' ? !fraction : std::isdigit(static_cast<unsigned char>(text[i])) != 0);
       ++i) {
    if (text[i] == '.') {
      fraction = true;
      continue;
    }
    any = true;
    digits = digits * 10 + (text[i] - '0');
    if (fraction) divisor *= 10;
  }
  const Wide nanos = NanosOfSuffix(text.substr(i));
  if (!any || nanos == 0 || (scale != 0 && scale != 3)) return std::nullopt;
  const Wide unit = divisor * (scale == 0 ? 1'000'000'000 : 1'000'000);
  constexpr Wide kMost = std::numeric_limits<int64_t>::max();
  const auto count = static_cast<int64_t>(std::min((digits * nanos + unit - 1) / unit, kMost));
  return negative ? -count : count;
}

}  // namespace berth::sdk::testing
