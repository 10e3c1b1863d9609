// The layouts of Go's package time, such as "2006-01-02T15:04:05Z07:00", as lists of elements. Pure; thread: any.
// Source: https://pkg.go.dev/time#pkg-constants.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plugins {

enum class TimeElement : uint8_t {
  kEnd,  // only the text before it
  kYear,
  kLongYear,
  kMonthName,
  kLongMonthName,
  kMonth,
  kTwoDigitMonth,
  kWeekday,
  kLongWeekday,
  kDay,
  kSpacePaddedDay,
  kTwoDigitDay,
  kSpacePaddedYearDay,
  kThreeDigitYearDay,
  kHour,
  kHour12,
  kTwoDigitHour12,
  kMinute,
  kTwoDigitMinute,
  kSecond,
  kTwoDigitSecond,
  kUpperPm,
  kLowerPm,
  kZoneName,
  kOffset,            // +hhmm and its variants
  kFraction,          // exactly `digits` digits
  kOptionalFraction,  // any number of digits, or none
};

struct TimePart {
  std::string before;  // literal text before the element
  TimeElement element = TimeElement::kEnd;
  uint8_t digits = 0;                                                // of kFraction
  bool z = false, colons = false, minutes = false, seconds = false;  // of kOffset: Z may stand for UTC; its fields
};

class GoTimeLayout {
 public:
  // Every text is a layout. The last part is kEnd.
  explicit GoTimeLayout(std::string_view layout) {
    TimePart part;
    while (!layout.empty()) {
      const size_t length = Recognize(layout, part);
      if (length == 0) {
        part.before += layout.front();
        layout.remove_prefix(1);
        continue;
      }
      layout.remove_prefix(length);
      parts_.push_back(std::move(part));
      part = TimePart();
    }
    parts_.push_back(std::move(part));
  }
  const std::vector<TimePart>& parts() const { return parts_; }

 private:
  struct Token {
    std::string_view text;
    TimeElement element;
  };
  // Of two tokens with the same beginning, the longer one is first.
  static constexpr Token kTokens[] = {
      {"January", TimeElement::kLongMonthName},
      {"Jan", TimeElement::kMonthName},
      {"Monday", TimeElement::kLongWeekday},
      {"Mon", TimeElement::kWeekday},
      {"MST", TimeElement::kZoneName},
      {"002", TimeElement::kThreeDigitYearDay},
      {"01", TimeElement::kTwoDigitMonth},
      {"02", TimeElement::kTwoDigitDay},
      {"03", TimeElement::kTwoDigitHour12},
      {"04", TimeElement::kTwoDigitMinute},
      {"05", TimeElement::kTwoDigitSecond},
      {"06", TimeElement::kYear},
      {"15", TimeElement::kHour},
      {"1", TimeElement::kMonth},
      {"2006", TimeElement::kLongYear},
      {"2", TimeElement::kDay},
      {"__2", TimeElement::kSpacePaddedYearDay},
      {"_2", TimeElement::kSpacePaddedDay},
      {"3", TimeElement::kHour12},
      {"4", TimeElement::kMinute},
      {"5", TimeElement::kSecond},
      {"PM", TimeElement::kUpperPm},
      {"pm", TimeElement::kLowerPm},
  };

  // Sets the element with which the layout begins. Returns its length; 0: it begins with literal text.
  static size_t Recognize(std::string_view layout, TimePart& part) {
    if (layout.starts_with("_2006")) return 0;
    if (const size_t length = RecognizeOffset(layout, part)) return length;
    if (const size_t length = RecognizeFraction(layout, part)) return length;
    for (const Token& token : kTokens) {
      if (!layout.starts_with(token.text)) continue;
      const bool short_name = token.element == TimeElement::kMonthName || token.element == TimeElement::kWeekday;
      if (short_name && IsLower(layout, token.text.size())) return 0;
      part.element = token.element;
      return token.text.size();
    }
    return 0;
  }
  static size_t RecognizeOffset(std::string_view layout, TimePart& part) {
    if (layout.empty() || (layout[0] != '-' && layout[0] != 'Z')) return 0;
    constexpr std::string_view kVariants[] = {"070000", "07:00:00", "0700", "07:00", "07"};
    const auto variant = std::find_if(std::begin(kVariants), std::end(kVariants),
                                      [&](std::string_view v) { return layout.substr(1).starts_with(v); });
    if (variant == std::end(kVariants)) return 0;
    part.element = TimeElement::kOffset;
    part.z = layout[0] == 'Z';
    part.colons = variant->find(':') != std::string_view::npos;
    part.minutes = variant->size() >= 4;
    part.seconds = variant->size() >= 6;
    return 1 + variant->size();
  }
  // ".000", ",999": repeated zeros or nines that no other digit follows.
  static size_t RecognizeFraction(std::string_view layout, TimePart& part) {
    if (layout.size() < 2 || (layout[0] != '.' && layout[0] != ',')) return 0;
    const char digit = layout[1];
    if (digit != '0' && digit != '9') return 0;
    const size_t end = std::min(layout.find_first_not_of(digit, 1), layout.size());
    if (end < layout.size() && std::isdigit(static_cast<unsigned char>(layout[end])) != 0) return 0;
    part.element = digit == '0' ? TimeElement::kFraction : TimeElement::kOptionalFraction;
    part.digits = static_cast<uint8_t>(std::min<size_t>(end - 1, 255));
    return end;
  }
  static bool IsLower(std::string_view text, size_t i) { return i < text.size() && text[i] >= 'a' && text[i] <= 'z'; }

  std::vector<TimePart> parts_;
};

}  // namespace plugins
