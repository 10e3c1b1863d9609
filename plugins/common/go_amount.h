// An amount of a resource as Go's resource.Quantity keeps it, because upstream prints that representation in
// "resource gap: ...". Source: k8s.io/apimachinery/pkg/api/resource {quantity,amount}.go. A value, any thread.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace plugins {

struct GoAmount {
  int64_t value = 0;
  int32_t scale = 0;        // the amount is value * 10^scale
  std::string_view format;  // "DecimalSI", "BinarySI", "DecimalExponent", or "" of an amount that is not set

  bool operator==(const GoAmount&) const = default;

  static GoAmount Milli(int64_t value) { return {value, -3, "DecimalSI"}; }
  static GoAmount Decimal(int64_t value) { return {value, 0, "DecimalSI"}; }
  static GoAmount Binary(int64_t value) { return {value, 0, "BinarySI"}; }

  // Quantity.Sub. An amount that does not fit into 64 bits saturates; Go keeps more digits.
  void Sub(const GoAmount& other) {
    if (value == 0) format = other.format;
    if (other.value == 0) return;
    if (value == 0) {
      value = -other.value;
      scale = other.scale;
      return;
    }
    const int32_t lower = scale < other.scale ? scale : other.scale;
    value = Fit(Raised(value, scale - lower) - Raised(other.value, other.scale - lower));
    scale = lower;
  }

  // As a count of 10^scale_of_unit, rounded away from zero: -3 counts thousandths.
  int64_t CountOf(int32_t scale_of_unit) const {
    int32_t by = scale - scale_of_unit;
    if (by >= 0) return Fit(Raised(value, by));
    int64_t whole = value;
    bool cut = false;
    for (; by < 0 && whole != 0; ++by) {
      cut = cut || whole % 10 != 0;
      whole /= 10;
    }
    return whole + (!cut ? 0 : value < 0 ? -1 : 1);
  }

  // As "%v" prints a Quantity that is not behind a pointer.
  std::string Printed() const {
    return "{{" + std::to_string(value) + " " + std::to_string(scale) + "} {<nil>}  " + std::string(format) + "}";
  }

 private:
  using Wide = __int128;
  static constexpr Wide kMost = std::numeric_limits<int64_t>::max(), kLeast = std::numeric_limits<int64_t>::min();

  static int64_t Fit(Wide wide) { return static_cast<int64_t>(wide > kMost ? kMost : wide < kLeast ? kLeast : wide); }
  static Wide Raised(int64_t value, int32_t by) {
    Wide wide = value;
    for (; by > 0 && wide <= kMost && wide >= kLeast; --by) wide *= 10;
    return wide;
  }
};

namespace go_amount_detail {

struct Suffix {
  std::string_view text, format;
  int32_t exponent;  // of 10, or of 2 if the format is BinarySI
};
inline constexpr Suffix kSuffixes[] = {
    {"", "DecimalSI", 0},   {"n", "DecimalSI", -9}, {"u", "DecimalSI", -6}, {"m", "DecimalSI", -3},
    {"k", "DecimalSI", 3},  {"M", "DecimalSI", 6},  {"G", "DecimalSI", 9},  {"T", "DecimalSI", 12},
    {"P", "DecimalSI", 15}, {"E", "DecimalSI", 18}, {"Ki", "BinarySI", 10}, {"Mi", "BinarySI", 20},
    {"Gi", "BinarySI", 30}, {"Ti", "BinarySI", 40}, {"Pi", "BinarySI", 50}, {"Ei", "BinarySI", 60}};

// Beyond it, every amount is too large for an int64 or rounded up to the least amount. Go keeps any 32 bits.
inline constexpr int32_t kMostExponent = 1000;

inline std::optional<Suffix> SuffixOf(std::string_view text) {
  for (const Suffix& one : kSuffixes) {
    if (one.text == text) return one;
  }
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  const bool plus = text[1] == '+';
  text.remove_prefix(plus ? 2 : 1);
  if (plus && text.starts_with('-')) return std::nullopt;  // which from_chars reads
  int32_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (exponent > kMostExponent || exponent < -kMostExponent) return std::nullopt;
  return Suffix{"", "DecimalExponent", exponent};
}

}  // namespace go_amount_detail

// ParseQuantity, for amounts that Go keeps in 64 bits without rounding. nullopt: it is another amount.
inline std::optional<GoAmount> ParseGoAmount(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  const size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  std::string digits(text.substr(0, end));
  const std::optional<go_amount_detail::Suffix> suffix = go_amount_detail::SuffixOf(text.substr(end));
  if (!suffix || digits.empty()) return std::nullopt;
  int32_t fraction = 0;
  if (const size_t point = digits.find('.'); point != digits.npos) {
    fraction = static_cast<int32_t>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  int64_t value = 0;
  const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || last != digits.data() + digits.size()) return std::nullopt;
  const bool binary = suffix->format == "BinarySI";
  if (binary) {
    if (fraction != 0 || __builtin_mul_overflow(value, int64_t{1} << suffix->exponent, &value)) return std::nullopt;
  }
  return GoAmount{negative ? -value : value, (binary ? 0 : suffix->exponent) - fraction, suffix->format};
}

}  // namespace plugins
