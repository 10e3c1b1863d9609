// Parses and prints durations in Go's syntax ("10s", "1h15m30.5s", "250ms"), like metav1.Duration. Pure; thread: any.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace plugins {

class GoDuration {
 public:
  // The result is in nanoseconds. error() has Go's error text.
  explicit GoDuration(std::string_view text) : text_(text) { Read(text); }
  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  int64_t nanoseconds() const { return nanoseconds_; }

  // "10s", "10m0s", "1.5s", "100ms", "0s".
  static std::string Text(int64_t nanoseconds) {
    const bool negative = nanoseconds < 0;
    const uint64_t size = negative ? 0 - static_cast<uint64_t>(nanoseconds) : static_cast<uint64_t>(nanoseconds);
    return (negative ? "-" : "") + Positive(size);
  }

 private:
  static constexpr uint64_t kSecond = 1'000'000'000, kMost = uint64_t{1} << 63;
  static constexpr std::array<std::pair<std::string_view, uint64_t>, 8> kUnits{{{"ns", 1},
                                                                                {"us", 1'000},
                                                                                {"\xC2\xB5s", 1'000},
                                                                                {"\xCE\xBCs", 1'000},
                                                                                {"ms", 1'000'000},
                                                                                {"s", kSecond},
                                                                                {"m", 60 * kSecond},
                                                                                {"h", 3600 * kSecond}}};

  static std::string Positive(uint64_t size) {
    if (size == 0) return "0s";
    if (size < 1'000) return std::to_string(size) + "ns";
    if (size < 1'000'000) return Decimal(size, 1'000) + "\xC2\xB5s";
    if (size < kSecond) return Decimal(size, 1'000'000) + "ms";
    const uint64_t minutes = size / (60 * kSecond);
    std::string text = Decimal(size % (60 * kSecond), kSecond) + "s";
    if (minutes > 0) text = std::to_string(minutes % 60) + "m" + text;
    if (minutes >= 60) text = std::to_string(minutes / 60) + "h" + text;
    return text;
  }
  static std::string Decimal(uint64_t value, uint64_t unit) {
    std::string text = std::to_string(value / unit);
    if (value % unit == 0) return text;
    std::string digits = std::to_string(unit + value % unit).substr(1);
    digits.erase(digits.find_last_not_of('0') + 1);
    return text + "." + digits;
  }

  void Fail(const std::string& what) { error_ = "time: " + what + " \"" + std::string(text_) + "\""; }

  void Read(std::string_view rest) {
    const bool negative = rest.starts_with('-');
    if (negative || rest.starts_with('+')) rest.remove_prefix(1);
    if (rest == "0") return;
    if (rest.empty()) return Fail("invalid duration");
    uint64_t total = 0;
    while (!rest.empty() && ok()) ReadPart(rest, total);
    if (!ok()) return;
    if (total == kMost && !negative) return Fail("invalid duration");
    nanoseconds_ = static_cast<int64_t>(negative ? 0 - total : total);
  }

  // One number with its unit; total <= kMost.
  void ReadPart(std::string_view& rest, uint64_t& total) {
    const std::string_view whole = Digits(rest);
    std::string_view part;
    if (rest.starts_with('.')) rest.remove_prefix(1), part = Digits(rest);
    if (whole.empty() && part.empty()) return Fail("invalid duration");
    const std::string_view name = rest.substr(0, rest.find_first_of(".0123456789"));
    rest.remove_prefix(name.size());
    if (name.empty()) return Fail("missing unit in duration");
    const auto unit = std::find_if(kUnits.begin(), kUnits.end(), [name](const auto& u) { return u.first == name; });
    if (unit == kUnits.end()) return Fail("unknown unit \"" + std::string(name) + "\" in duration");
    const unsigned __int128 size = Number(whole, kMost) * unit->second + Fraction(part, unit->second);
    if (size > kMost || size > kMost - total) return Fail("invalid duration");
    total += static_cast<uint64_t>(size);
  }
  static std::string_view Digits(std::string_view& rest) {
    const std::string_view digits = rest.substr(0, std::min(rest.size(), rest.find_first_not_of("0123456789")));
    rest.remove_prefix(digits.size());
    return digits;
  }
  // At most `most` + 9, which exceeds any duration.
  static unsigned __int128 Number(std::string_view digits, uint64_t most) {
    unsigned __int128 value = 0;
    for (const char digit : digits) {
      if (value > most) break;
      value = value * 10 + static_cast<unsigned>(digit - '0');
    }
    return value;
  }
  // The digits after the point. As in Go, digits beyond 63 bits are ignored.
  static uint64_t Fraction(std::string_view digits, uint64_t unit) {
    uint64_t value = 0;
    double scale = 1;
    for (const char digit : digits) {
      if (value > (kMost - 1) / 10) break;
      value = value * 10 + static_cast<uint64_t>(digit - '0');
      scale *= 10;
    }
    return static_cast<uint64_t>(static_cast<double>(value) * (static_cast<double>(unit) / scale));
  }

  std::string_view text_;
  std::string error_;
  int64_t nanoseconds_ = 0;
};

}  // namespace plugins
