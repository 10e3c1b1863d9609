// Small pieces of times, taken from the front of a text, for go_time.h. Pure; thread: any.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plugins::go_time {

inline bool DigitAt(std::string_view text, size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; }

// Removes `n` characters from the front of the text and returns them; nullopt: it has fewer.
inline std::optional<std::string_view> Take(std::string_view& text, size_t n) {
  if (text.size() < n) return std::nullopt;
  const std::string_view front = text.substr(0, n);
  text.remove_prefix(n);
  return front;
}

// A whole number of few digits, which may have a sign.
inline std::optional<int> SignedNumber(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int number = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!DigitAt(text, i)) return std::nullopt;
    number = number * 10 + (text[i] - '0');
  }
  return negative ? -number : number;
}

// Takes at least one and at most `most` digits; with `exactly`, `most` digits.
inline std::optional<int> TakeNumber(std::string_view& text, size_t most, bool exactly) {
  size_t n = 0;
  while (n < most && DigitAt(text, n)) ++n;
  if (n == 0 || (exactly && n != most)) return std::nullopt;
  return SignedNumber(*Take(text, n));
}
inline std::optional<int> TakeInRange(std::string_view& text, bool two_digits, int least, int most) {
  const std::optional<int> number = TakeNumber(text, 2, two_digits);
  return number && *number >= least && *number <= most ? number : std::nullopt;
}

// Takes one of the names, or their first `length` characters, in any case. Returns its place in the list.
template <size_t kNames>
std::optional<int> TakeName(std::string_view& text, const std::array<std::string_view, kNames>& names,
                            size_t length = std::string_view::npos) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  for (size_t i = 0; i < kNames; ++i) {
    const std::string_view name = names[i].substr(0, length);
    if (text.size() < name.size() || !std::equal(name.begin(), name.end(), text.begin(), same)) continue;
    text.remove_prefix(name.size());
    return static_cast<int>(i);
  }
  return std::nullopt;
}

// Nanoseconds of ".25" or ",25"; digits beyond the ninth are ignored.
inline std::optional<int> Nanoseconds(std::string_view fraction) {
  if (fraction.empty() || (fraction[0] != '.' && fraction[0] != ',')) return std::nullopt;
  std::string digits(fraction.substr(1, 9));
  const std::optional<int> number = SignedNumber(digits);
  if (!number || *number < 0) return std::nullopt;
  int64_t nanoseconds = *number;
  for (size_t n = digits.size(); n < 9; ++n) nanoseconds *= 10;
  return static_cast<int>(nanoseconds);
}

// The length of the digits after a point; 0: the text does not begin with a fraction.
inline size_t FractionLength(std::string_view text) {
  if (text.size() < 2 || (text[0] != '.' && text[0] != ',') || !DigitAt(text, 1)) return 0;
  size_t n = 2;
  while (DigitAt(text, n)) ++n;
  return n;
}

// The length of "+3" or "-11"; 0: there is none, or it exceeds 23 hours.
inline size_t HoursLength(std::string_view text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return 0;
  int64_t hours = 0;
  size_t n = 1;
  for (; DigitAt(text, n); ++n) hours = std::min<int64_t>(hours * 10 + (text[n] - '0'), 1000);
  return n == 1 || hours > 23 ? 0 : n;
}

// The length of a zone's abbreviation, such as "CEST", "GMT+2", or "+03"; 0: it is none.
inline size_t ZoneNameLength(std::string_view text) {
  if (text.size() < 3) return 0;
  if (text.starts_with("ChST") || text.starts_with("MeST")) return 4;
  if (text.starts_with("GMT")) return 3 + HoursLength(text.substr(3));
  if (text[0] == '+' || text[0] == '-') return HoursLength(text);
  size_t upper = 0;
  while (upper < 6 && upper < text.size() && text[upper] >= 'A' && text[upper] <= 'Z') ++upper;
  if (upper == 3) return 3;
  if (upper == 4) return text[3] == 'T' || text.starts_with("WITA") ? 4 : 0;
  return upper == 5 && text[4] == 'T' ? 5 : 0;
}

// Removes the literal text from the front of the value. A run of spaces matches any number of spaces.
inline bool Skip(std::string_view& value, std::string_view literal) {
  const auto cut = [](std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  };
  while (!literal.empty()) {
    if (literal[0] == ' ') {
      if (!value.empty() && value[0] != ' ') return false;
      cut(literal);
      cut(value);
      continue;
    }
    if (value.empty() || value[0] != literal[0]) return false;
    literal.remove_prefix(1);
    value.remove_prefix(1);
  }
  return true;
}

}  // namespace plugins::go_time
