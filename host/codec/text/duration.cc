#include "codec/text/duration.h"

#include <array>
#include <cstdint>
#include <utility>

#include "base/text.h"

namespace berth::text {
namespace {

constexpr uint64_t kMicrosecond = 1'000;
constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kLargest = uint64_t{1} << 63;

uint64_t UnitSize(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, uint64_t>, 8> kUnits{{{"ns", 1},
                                                                         {"us", kMicrosecond},
                                                                         {"\xC2\xB5s", kMicrosecond},
                                                                         {"\xCE\xBCs", kMicrosecond},
                                                                         {"ms", kMillisecond},
                                                                         {"s", kSecond},
                                                                         {"m", 60 * kSecond},
                                                                         {"h", 3600 * kSecond}}};
  for (const auto& [name, size] : kUnits) {
    if (name == unit) return size;
  }
  return 0;
}

std::string_view TakeDigits(std::string_view& text) {
  size_t length = 0;
  while (length < text.size() && base::IsDigit(text[length])) ++length;
  const std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

std::string_view TakeUnit(std::string_view& text) {
  const std::string_view unit = text.substr(0, text.find_first_of(".0123456789"));
  text.remove_prefix(unit.size());
  return unit;
}

// The digits before the point, times the unit; kLargest + 1 when too large.
uint64_t Whole(std::string_view digits, uint64_t unit) {
  uint64_t value = 0;
  for (char digit : digits) {
    if (value > kLargest / 10) return kLargest + 1;
    value = value * 10 + static_cast<uint64_t>(digit - '0');
    if (value > kLargest) return kLargest + 1;
  }
  return value > kLargest / unit ? kLargest + 1 : value * unit;
}

// The digits after the point, times the unit, rounded as in Go; digits beyond 63 bits are ignored.
uint64_t Part(std::string_view digits, uint64_t unit) {
  uint64_t value = 0;
  double scale = 1;
  for (char digit : digits) {
    if (value > (kLargest - 1) / 10) break;
    value = value * 10 + static_cast<uint64_t>(digit - '0');
    scale *= 10;
  }
  return static_cast<uint64_t>(static_cast<double>(value) * (static_cast<double>(unit) / scale));
}

// value / unit as a decimal number such as "1.5", without zeros at the end.
std::string Decimal(uint64_t value, uint64_t unit) {
  std::string text = std::to_string(value / unit);
  uint64_t rest = value % unit;
  if (rest == 0) return text;
  std::string fraction = std::to_string(unit + rest).substr(1);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return text + "." + fraction;
}

}  // namespace

base::Result<std::chrono::nanoseconds> ParseDuration(std::string_view text) {
  const auto fail = [&](const std::string& what) { return base::Fail("time: " + what + " " + base::Quoted(text)); };
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest == "0") return std::chrono::nanoseconds(0);
  if (rest.empty()) return fail("invalid duration");
  uint64_t total = 0;
  while (!rest.empty()) {
    const std::string_view whole = TakeDigits(rest);
    const bool point = rest.starts_with('.');
    if (point) rest.remove_prefix(1);
    const std::string_view part = point ? TakeDigits(rest) : std::string_view();
    if (whole.empty() && part.empty()) return fail("invalid duration");
    const std::string_view name = TakeUnit(rest);
    if (name.empty()) return fail("missing unit in duration");
    const uint64_t unit = UnitSize(name);
    if (unit == 0) return fail("unknown unit " + base::Quoted(name) + " in duration");
    const uint64_t size = Whole(whole, unit);
    if (size > kLargest || size + Part(part, unit) > kLargest - total) return fail("invalid duration");
    total += size + Part(part, unit);
  }
  if (!negative && total == kLargest) return fail("invalid duration");
  return std::chrono::nanoseconds(static_cast<int64_t>(negative ? 0 - total : total));
}

std::string FormatDuration(std::chrono::nanoseconds duration) {
  const int64_t count = duration.count();
  const uint64_t size = count < 0 ? 0 - static_cast<uint64_t>(count) : static_cast<uint64_t>(count);
  const std::string sign = count < 0 ? "-" : "";
  if (size == 0) return "0s";
  if (size < kMicrosecond) return sign + std::to_string(size) + "ns";
  if (size < kMillisecond) return sign + Decimal(size, kMicrosecond) + "\xC2\xB5s";
  if (size < kSecond) return sign + Decimal(size, kMillisecond) + "ms";
  const uint64_t minutes = size / (60 * kSecond);
  std::string text = Decimal(size % (60 * kSecond), kSecond) + "s";
  if (minutes > 0) text = std::to_string(minutes % 60) + "m" + text;
  if (minutes >= 60) text = std::to_string(minutes / 60) + "h" + text;
  return sign + text;
}

std::string FormatMilliseconds(int64_t ns) {
  return FormatDuration(std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::nanoseconds(ns)));
}

}  // namespace berth::text
