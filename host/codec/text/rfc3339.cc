#include "codec/text/rfc3339.h"

#include <cstdio>
#include <ctime>
#include <limits>

#include "base/text.h"

namespace berth::text {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;

// Removes n digits from the front.
bool Digits(std::string_view& text, size_t n, int& value) {
  if (text.size() < n) return false;
  value = 0;
  for (size_t i = 0; i < n; ++i) {
    if (!base::IsDigit(text[i])) return false;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(n);
  return true;
}

bool Take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

int DaysInMonth(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return kDays[month - 1] + (month == 2 && leap ? 1 : 0);
}

// Days from 1970-01-01, in the proleptic Gregorian calendar; years start in March, so that leap days come last.
int64_t DaysFromEpoch(int64_t year, int64_t month, int64_t day) {
  if (month <= 2) --year;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

// ".123" or ",123": at least one digit.
bool Fraction(std::string_view& text, int64_t& nanos) {
  nanos = 0;
  if (!text.starts_with('.') && !text.starts_with(',')) return true;
  text.remove_prefix(1);
  size_t n = 0;
  for (; n < text.size() && base::IsDigit(text[n]); ++n) {
    if (n < 9) nanos = nanos * 10 + (text[n] - '0');
  }
  for (size_t i = n; i < 9; ++i) nanos *= 10;
  text.remove_prefix(n);
  return n > 0;
}

bool Offset(std::string_view& text, int64_t& seconds) {
  seconds = 0;
  if (Take(text, 'Z')) return true;
  const bool west = text.starts_with('-');
  if (!west && !text.starts_with('+')) return false;
  text.remove_prefix(1);
  int hours, minutes;
  if (!Digits(text, 2, hours) || !Take(text, ':') || !Digits(text, 2, minutes) || hours > 24 || minutes >= 60) {
    return false;
  }
  seconds = (hours * 60 + minutes) * 60 * (west ? -1 : 1);
  return true;
}

std::string ToSeconds(std::time_t seconds) {
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[64];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc));
}

}  // namespace

bool ParseRfc3339(std::string_view text, int64_t& unix_ns) {
  int year, month, day, hour, minute, second;
  int64_t nanos, offset;
  if (!Digits(text, 4, year) || !Take(text, '-') || !Digits(text, 2, month) || !Take(text, '-') ||
      !Digits(text, 2, day) || !Take(text, 'T') || !Digits(text, 2, hour) || !Take(text, ':') ||
      !Digits(text, 2, minute) || !Take(text, ':') || !Digits(text, 2, second) || !Fraction(text, nanos) ||
      !Offset(text, offset) || !text.empty()) {
    return false;
  }
  if (month < 1 || month > 12 || day < 1 || day > DaysInMonth(year, month) || hour > 23 || minute > 59 || second > 59) {
    return false;
  }
  const int64_t seconds = DaysFromEpoch(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset;
  constexpr int64_t kGoZero = -62135596800;
  if (seconds == kGoZero && nanos == 0) {
    unix_ns = kNoTime;
  } else if (__builtin_mul_overflow(seconds, int64_t{1000000000}, &unix_ns) ||
             __builtin_add_overflow(unix_ns, nanos, &unix_ns)) {
    unix_ns = seconds < 0 ? std::numeric_limits<int64_t>::min() + 1 : std::numeric_limits<int64_t>::max();
  }
  return true;
}

std::string UnixTimeText(int64_t unix_seconds) { return ToSeconds(unix_seconds) + "Z"; }

std::string TimeText(int64_t unix_ns) { return UnixTimeText(unix_ns / kNsPerSecond); }

std::string MicroTimeText(int64_t unix_ns) {
  char fraction[16];
  std::snprintf(fraction, sizeof fraction, ".%06dZ", static_cast<int>(unix_ns / 1000 % 1'000'000));
  return ToSeconds(unix_ns / kNsPerSecond) + fraction;
}

}  // namespace berth::text
