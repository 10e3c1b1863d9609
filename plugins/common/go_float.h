// Numbers from texts that Go's strconv.ParseFloat accepts: "12", "1.5e3", "0x1p4", "1_000". Pure; thread: any.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace plugins {

class GoFloat {
 public:
  // int64(ParseFloat(text, 64)): the fraction is cut. nullopt: the text is no number, or the number exceeds int64.
  static std::optional<int64_t> Whole(std::string_view text) {
    constexpr double kLimit = 9223372036854775808.0;  // 2^63
    const std::optional<double> value = Finite(text);
    // -2^63 itself is what Go on amd64 makes of every number that exceeds int64.
    if (!value || !(std::fabs(*value) < kLimit)) return std::nullopt;
    return static_cast<int64_t>(*value);
  }
  // ParseFloat(text, 64). nullopt: the text is no number, or none that is finite.
  static std::optional<double> Finite(std::string_view text) {
    if (!IsFinite(text) || !UnderscoresSeparateDigits(text)) return std::nullopt;
    std::string digits(text);
    std::erase(digits, '_');
    const double value = std::strtod(digits.c_str(), nullptr);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  }

 private:
  static bool IsDigit(char c, bool hex) {
    const auto byte = static_cast<unsigned char>(c);
    return hex ? std::isxdigit(byte) != 0 : std::isdigit(byte) != 0;
  }
  static std::string_view WithoutSign(std::string_view text) {
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    return text;
  }
  static bool IsHex(std::string_view unsigned_text) {
    return unsigned_text.size() > 2 && unsigned_text[0] == '0' && (unsigned_text[1] | 0x20) == 'x';
  }

  // The syntax of a finite number; underscores may be between any digits here.
  static bool IsFinite(std::string_view text) {
    text = WithoutSign(text);
    const bool hex = IsHex(text);
    if (hex) text.remove_prefix(2);
    const char mark = hex ? 'p' : 'e';
    const auto exponent = std::find_if(text.begin(), text.end(), [mark](char c) { return (c | 0x20) == mark; });
    const std::string_view mantissa(text.begin(), exponent);
    if (!IsMantissa(mantissa, hex)) return false;
    if (exponent == text.end()) return !hex;
    return IsExponent(std::string_view(exponent + 1, text.end()));
  }
  static bool IsMantissa(std::string_view text, bool hex) {
    bool digits = false, dot = false;
    for (const char c : text) {
      if (IsDigit(c, hex)) {
        digits = true;
      } else if (c == '.' && !dot) {
        dot = true;
      } else if (c != '_') {
        return false;
      }
    }
    return digits;
  }
  static bool IsExponent(std::string_view text) {
    text = WithoutSign(text);
    if (text.empty() || !IsDigit(text[0], false)) return false;
    return std::all_of(text.begin(), text.end(), [](char c) { return c == '_' || IsDigit(c, false); });
  }

  // The prefix 0x counts as a digit.
  static bool UnderscoresSeparateDigits(std::string_view text) {
    text = WithoutSign(text);
    const bool hex = IsHex(text);
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '_') continue;
      const bool before = i > 0 && (IsDigit(text[i - 1], hex) || (hex && i == 2));
      if (!before || i + 1 == text.size() || !IsDigit(text[i + 1], hex)) return false;
    }
    return true;
  }
};

}  // namespace plugins
