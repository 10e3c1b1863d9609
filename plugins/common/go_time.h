// Times in texts with a layout of Go's package time. Accepts and rejects the same texts as time.Parse, where the local
// zone is UTC. Pure; thread: any. Source: https://pkg.go.dev/time#Parse.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "go_time_layout.h"
#include "go_time_text.h"

namespace plugins {

namespace go_time {

// A date and a time of day as they are read. -1: not given.
class Moment {
 public:
  // Reads the part's element from the front of the text. false: the text has another form.
  bool Read(const TimePart& part, bool fraction_follows, std::string_view& text) {
    using enum TimeElement;
    switch (part.element) {
      case kEnd: return text.empty();
      case kYear: return ReadShortYear(text);
      case kLongYear: return ReadLongYear(text);
      case kMonthName: return Set(month_, Next(TakeName(text, kMonths, 3)));
      case kLongMonthName: return Set(month_, Next(TakeName(text, kMonths)));
      case kMonth:
      case kTwoDigitMonth: return Set(month_, TakeInRange(text, part.element == kTwoDigitMonth, 1, 12));
      case kWeekday: return TakeName(text, kDays, 3).has_value();
      case kLongWeekday: return TakeName(text, kDays).has_value();
      case kSpacePaddedDay: SkipSpaces(text, 1); [[fallthrough]];
      case kDay:
      case kTwoDigitDay: return Set(day_, TakeNumber(text, 2, part.element == kTwoDigitDay));
      case kSpacePaddedYearDay: SkipSpaces(text, 2); [[fallthrough]];
      case kThreeDigitYearDay: return Set(day_of_year_, TakeNumber(text, 3, part.element == kThreeDigitYearDay));
      case kHour: return Set(hour_, TakeInRange(text, false, 0, 23));
      case kHour12:
      case kTwoDigitHour12: return Set(hour_, TakeInRange(text, part.element == kTwoDigitHour12, 0, 12));
      case kMinute:
      case kTwoDigitMinute: return Set(minute_, TakeInRange(text, part.element == kTwoDigitMinute, 0, 59));
      case kSecond:
      case kTwoDigitSecond: return ReadSecond(text, part.element == kTwoDigitSecond, fraction_follows);
      case kUpperPm: return ReadHalf(text, "AM", "PM");
      case kLowerPm: return ReadHalf(text, "am", "pm");
      case kZoneName: return ReadZoneName(text);
      case kOffset: return ReadOffset(text, part);
      case kFraction: return ReadFraction(text, size_t{1} + part.digits);
      case kOptionalFraction: return ReadFraction(text, FractionLength(text));
    }
    return false;
  }

  // nullopt: there is no such day.
  std::optional<int64_t> UnixMicroseconds() const {
    using namespace std::chrono;  // NOLINT: dates
    const std::optional<sys_days> day = Day();
    if (!day) return std::nullopt;
    const int hour = pm_ && hour_ < 12 ? hour_ + 12 : am_ && hour_ == 12 ? 0 : hour_;
    const auto time = *day + hours(hour) + minutes(minute_) + seconds(second_) - seconds(OffsetSeconds());
    return duration_cast<microseconds>(time.time_since_epoch()).count() + nanosecond_ / 1000;
  }

 private:
  static constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                               "May",       "June",     "July",     "August",
                                                               "September", "October",  "November", "December"};
  static constexpr std::array<std::string_view, 7> kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                            "Thursday", "Friday", "Saturday"};

  static bool Set(int& field, std::optional<int> number) {
    if (number) field = *number;
    return number.has_value();
  }
  static std::optional<int> Next(std::optional<int> number) {
    return number ? std::optional(*number + 1) : std::nullopt;
  }
  static void SkipSpaces(std::string_view& text, size_t most) {
    for (size_t i = 0; i < most && text.starts_with(' '); ++i) text.remove_prefix(1);
  }

  // 69 to 99 are of the last century.
  bool ReadShortYear(std::string_view& text) {
    const auto digits = Take(text, 2);
    if (!digits || !Set(year_, SignedNumber(*digits))) return false;
    year_ += year_ >= 69 ? 1900 : 2000;
    return true;
  }
  bool ReadLongYear(std::string_view& text) {
    if (!DigitAt(text, 0)) return false;
    const auto digits = Take(text, 4);
    return digits && Set(year_, SignedNumber(*digits));
  }
  // A text may have a fraction that the layout does not have.
  bool ReadSecond(std::string_view& text, bool two_digits, bool fraction_follows) {
    if (!Set(second_, TakeInRange(text, two_digits, 0, 59))) return false;
    return fraction_follows || ReadFraction(text, FractionLength(text));
  }
  // length 0: no fraction.
  bool ReadFraction(std::string_view& text, size_t length) {
    if (length == 0) return true;
    const auto fraction = Take(text, length);
    return fraction && Set(nanosecond_, Nanoseconds(*fraction));
  }
  bool ReadHalf(std::string_view& text, std::string_view am, std::string_view pm) {
    const auto half = Take(text, 2);
    if (!half || (*half != am && *half != pm)) return false;
    (*half == pm ? pm_ : am_) = true;
    return true;
  }
  bool ReadZoneName(std::string_view& text) {
    if (text.starts_with("UTC")) {
      utc_ = true;
      text.remove_prefix(3);
      return true;
    }
    const size_t length = ZoneNameLength(text);
    if (length == 0) return false;
    zone_ = text.substr(0, length);
    text.remove_prefix(length);
    return true;
  }
  bool ReadOffset(std::string_view& text, const TimePart& part) {
    if (part.z && text.starts_with('Z')) {
      utc_ = true;
      text.remove_prefix(1);
      return true;
    }
    const auto sign = Take(text, 1);
    const std::optional<int> hours = OffsetField(text, false, 24);
    const std::optional<int> minutes = part.minutes ? OffsetField(text, part.colons, 60) : 0;
    const std::optional<int> seconds = part.seconds ? OffsetField(text, part.colons, 60) : 0;
    if (!sign || (*sign != "+" && *sign != "-") || !hours || !minutes || !seconds) return false;
    offset_ = (*hours * 60 + *minutes) * 60 + *seconds;
    if (*sign == "-") offset_ = -offset_;
    return true;
  }
  static std::optional<int> OffsetField(std::string_view& text, bool colon, int most) {
    if (colon && Take(text, 1) != ":") return std::nullopt;
    return TakeInRange(text, true, 0, most);
  }

  // -1 counts as not given, as in Go. Go knows the offset of no abbreviation but those of the local zone.
  int OffsetSeconds() const {
    if (utc_) return 0;
    if (offset_ != -1) return offset_;
    return zone_.size() > 3 && zone_.starts_with("GMT") ? SignedNumber(zone_.substr(3)).value_or(0) * 3600 : 0;
  }

  std::optional<std::chrono::sys_days> Day() const {
    using namespace std::chrono;  // NOLINT: dates
    if (day_of_year_ < 0) {
      const year_month_day date(year(year_), month(static_cast<unsigned>(month_ < 0 ? 1 : month_)),
                                day(static_cast<unsigned>(day_ < 0 ? 1 : day_)));
      return date.ok() ? std::optional(sys_days(date)) : std::nullopt;
    }
    const year of(year_);
    if (day_of_year_ < 1 || day_of_year_ > (of.is_leap() ? 366 : 365)) return std::nullopt;
    const sys_days found = sys_days(of / January / 1) + days(day_of_year_ - 1);
    const year_month_day date(found);
    const bool same_month = month_ < 0 || static_cast<unsigned>(date.month()) == static_cast<unsigned>(month_);
    const bool same_day = day_ < 0 || static_cast<unsigned>(date.day()) == static_cast<unsigned>(day_);
    return same_month && same_day ? std::optional(found) : std::nullopt;
  }

  int year_ = 0, month_ = -1, day_ = -1, day_of_year_ = -1;
  int hour_ = 0, minute_ = 0, second_ = 0, nanosecond_ = 0;
  int offset_ = -1;  // seconds east of UTC
  bool am_ = false, pm_ = false, utc_ = false;
  std::string_view zone_;
};

}  // namespace go_time

// Microseconds since 1970 in UTC; fractions of them are cut. nullopt: the text has another form, or there is no such
// day.
inline std::optional<int64_t> ParseGoTime(const GoTimeLayout& layout, std::string_view text) {
  using enum TimeElement;
  go_time::Moment moment;
  const auto& parts = layout.parts();
  for (size_t i = 0; i < parts.size(); ++i) {
    const TimeElement next = i + 1 < parts.size() ? parts[i + 1].element : kEnd;
    const bool fraction_follows = next == kFraction || next == kOptionalFraction;
    if (!go_time::Skip(text, parts[i].before) || !moment.Read(parts[i], fraction_follows, text)) return std::nullopt;
  }
  return moment.UnixMicroseconds();
}

}  // namespace plugins
