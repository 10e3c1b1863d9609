#include "codec/yaml/yaml_timestamp.h"

#include "base/text.h"

namespace berth::yaml {
namespace {

// Consumes a text from the left; every method returns false, and consumes nothing more, when the text does not match.
class Eater {
 public:
  explicit Eater(std::string_view text) : text_(text) {}

  bool Char(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  // min..max digits whose value is at most limit.
  bool Number(size_t min, size_t max, int limit, int* value) {
    size_t digits = 0;
    *value = 0;
    while (digits < max && digits < text_.size() && base::IsDigit(text_[digits]))
      *value = *value * 10 + (text_[digits++] - '0');
    if (digits < min || *value > limit) return false;
    text_.remove_prefix(digits);
    return true;
  }
  // ".5" when there is one.
  bool Fraction() {
    if (!Char('.')) return true;
    int ignored = 0;
    if (!Number(1, 1, 9, &ignored)) return false;
    while (!text_.empty() && base::IsDigit(text_.front())) text_.remove_prefix(1);
    return true;
  }
  bool AtEnd() const { return text_.empty(); }

 private:
  std::string_view text_;
};

int DaysIn(int month, int year) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[month - 1];
}

bool Date(Eater& eat) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!eat.Number(4, 4, 9999, &year) || !eat.Char('-')) return false;
  if (!eat.Number(1, 2, 12, &month) || month < 1 || !eat.Char('-')) return false;
  return eat.Number(1, 2, DaysIn(month, year), &day) && day >= 1;
}

bool Clock(Eater& eat) {
  int ignored = 0;
  if (!eat.Number(1, 2, 23, &ignored) || !eat.Char(':')) return false;
  if (!eat.Number(1, 2, 59, &ignored) || !eat.Char(':')) return false;
  return eat.Number(1, 2, 59, &ignored) && eat.Fraction();
}

bool Zone(Eater& eat) {
  if (eat.Char('Z')) return true;
  int ignored = 0;
  if (!eat.Char('+') && !eat.Char('-')) return false;
  return eat.Number(2, 2, 24, &ignored) && eat.Char(':') && eat.Number(2, 2, 60, &ignored);
}

}  // namespace

bool IsTimestamp(std::string_view text) {
  Eater eat(text);
  if (!Date(eat)) return false;
  if (eat.AtEnd()) return true;
  if (eat.Char(' ')) return Clock(eat) && eat.AtEnd();
  if (!eat.Char('T') && !eat.Char('t')) return false;
  return Clock(eat) && Zone(eat) && eat.AtEnd();
}

}  // namespace berth::yaml
