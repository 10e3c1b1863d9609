#include "codec/text/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/text.h"

namespace berth::text {
namespace {

template <class T>
std::string Shortest(T number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Inf" : "+Inf";
  std::array<char, 64> buffer{};
  const auto write = [&](std::chars_format format) {
    return std::string(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format).ptr);
  };
  const std::string scientific = write(std::chars_format::scientific);
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  constexpr int kShortestPrecision = 6;
  return exponent < -4 || exponent >= kShortestPrecision ? scientific : write(std::chars_format::fixed);
}

}  // namespace

int TakeBase(std::string_view& digits) {
  if (digits.size() < 2 || digits[0] != '0') return 10;
  const char mark = static_cast<char>(digits[1] | 0x20);
  const int base = mark == 'x' ? 16 : mark == 'b' ? 2 : mark == 'o' ? 8 : 0;
  digits.remove_prefix(base == 0 ? 1 : 2);
  return base == 0 ? 8 : base;
}

base::Result<bool> ParseBool(std::string_view text) {
  constexpr std::array<std::string_view, 6> kYes{"1", "t", "T", "TRUE", "true", "True"};
  constexpr std::array<std::string_view, 6> kNo{"0", "f", "F", "FALSE", "false", "False"};
  if (std::find(kYes.begin(), kYes.end(), text) != kYes.end()) return true;
  if (std::find(kNo.begin(), kNo.end(), text) != kNo.end()) return false;
  return base::Fail("strconv.ParseBool: parsing " + base::Quoted(text) + ": invalid syntax");
}

base::Result<int64_t> ParseInt(std::string_view text, int bits) {
  const std::string what = "strconv.ParseInt: parsing " + base::Quoted(text) + ": ";
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  const int base = TakeBase(digits);
  uint64_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size, base);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    return base::Fail(what + "invalid syntax");
  }
  const uint64_t limit = uint64_t{1} << (bits - 1);
  if (error != std::errc() || size > limit || (size == limit && !negative)) {
    return base::Fail(what + "value out of range");
  }
  return static_cast<int64_t>(negative ? 0 - size : size);
}

std::string FloatText(double number) { return Shortest(number); }

std::string FloatText(float number) { return Shortest(number); }

}  // namespace berth::text
