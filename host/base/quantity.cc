#include "base/quantity.h"

#include <charconv>
#include <limits>

#include "base/text.h"

namespace berth::base {
namespace {

using Int = __int128;

constexpr Int kNanoPerUnit = 1'000'000'000;
constexpr int64_t kMaxUnits = std::numeric_limits<int64_t>::max();
// Decimal quantities have no limit upstream; here they end at 1e28 units, which is more than any sum needs.
constexpr int64_t kMaxNanoDigits = 37;

constexpr Int Power10(int64_t exponent) {
  Int power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

bool IsSuffixLetter(char c) { return std::string_view("eEinumkKMGTP").find(c) != std::string_view::npos; }

struct Parts {
  bool negative = false;
  bool has_digits = false;                   // at least one digit, including zeros
  std::string_view whole, fraction, suffix;  // whole without leading zeros
};

size_t SkipDigits(std::string_view text, size_t at) {
  while (at < text.size() && IsDigit(text[at])) ++at;
  return at;
}

// False when something follows the suffix.
bool Split(std::string_view text, Parts& parts) {
  size_t at = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) parts.negative = text[at++] == '-';
  const size_t zeros = at;
  while (at < text.size() && text[at] == '0') ++at;
  const size_t whole = at;
  at = SkipDigits(text, at);
  parts.whole = text.substr(whole, at - whole);
  parts.has_digits = at > zeros;
  if (at < text.size() && text[at] == '.') {
    const size_t fraction = ++at;
    at = SkipDigits(text, at);
    parts.fraction = text.substr(fraction, at - fraction);
    parts.has_digits |= !parts.fraction.empty();
  }
  const size_t suffix = at;
  while (at < text.size() && IsSuffixLetter(text[at])) ++at;
  if (at == text.size()) {
    parts.suffix = text.substr(suffix);
    return true;
  }
  if (text[at] == '-' || text[at] == '+') ++at;
  parts.suffix = text.substr(suffix);
  return SkipDigits(text, at) == text.size();
}

struct Scale {
  bool binary = false;
  int32_t exponent = 0;
};

bool DecimalExponent(std::string_view digits, Scale& scale) {
  if (digits.starts_with('+')) {
    digits.remove_prefix(1);
    if (digits.starts_with('-')) return false;
  }
  int64_t exponent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (error != std::errc() || end != digits.data() + digits.size()) return false;
  scale.exponent = static_cast<int32_t>(exponent);  // upstream truncates as well
  return true;
}

bool Interpret(std::string_view suffix, Scale& scale) {
  constexpr std::string_view kDecimal = "num kMGTPE";  // 10^-9 and up, in steps of 10^3
  constexpr std::string_view kBinary = "KMGTPE";       // 2^10 and up, in steps of 2^10
  if (suffix.empty()) return true;
  if (suffix.size() == 1) {
    const size_t step = kDecimal.find(suffix[0]);
    scale.exponent = static_cast<int32_t>(step) * 3 - 9;
    return step != std::string_view::npos;
  }
  if (suffix.size() == 2 && suffix[1] == 'i') {
    const size_t step = kBinary.find(suffix[0]);
    scale = {true, static_cast<int32_t>(step) * 10 + 10};
    return step != std::string_view::npos;
  }
  return (suffix[0] == 'e' || suffix[0] == 'E') && DecimalExponent(suffix.substr(1), scale);
}

// Upstream has a fast and a slow path; only the slow one rejects a text without digits.
bool NeedsDigits(const Scale& scale) { return scale.binary ? scale.exponent >= 50 : scale.exponent < -9; }

bool AnyNonZero(std::string_view digits) { return digits.find_first_not_of('0') != std::string_view::npos; }

// The number that consists of the digits of whole, followed by those of fraction.
class Digits {
 public:
  explicit Digits(const Parts& parts) : whole_(parts.whole), fraction_(parts.fraction) {
    while (first_ < Total() && At(first_) == '0') ++first_;
  }
  int64_t size() const { return static_cast<int64_t>(Total() - first_); }
  Int Take(int64_t n) const {
    Int value = 0;
    for (int64_t i = 0; i < n; ++i) value = value * 10 + (At(first_ + static_cast<size_t>(i)) - '0');
    return value;
  }
  bool AnyNonZeroFrom(int64_t n) const {
    for (size_t i = first_ + static_cast<size_t>(n); i < Total(); ++i) {
      if (At(i) != '0') return true;
    }
    return false;
  }

 private:
  size_t Total() const { return whole_.size() + fraction_.size(); }
  char At(size_t i) const { return i < whole_.size() ? whole_[i] : fraction_[i - whole_.size()]; }

  std::string_view whole_, fraction_;
  size_t first_ = 0;
};

Int DecimalNano(const Parts& parts, int32_t exponent) {
  const Digits digits(parts);
  if (digits.size() == 0) return 0;
  const int64_t shift = int64_t{exponent} + 9 - static_cast<int64_t>(parts.fraction.size());
  const int64_t length = digits.size() + shift;  // decimal digits of the result
  if (length > kMaxNanoDigits) return Power10(kMaxNanoDigits);
  if (length <= 0) return 1;
  if (shift >= 0) return digits.Take(digits.size()) * Power10(shift);
  return digits.Take(length) + (digits.AnyNonZeroFrom(length) ? 1 : 0);
}

// ceil(0.digits * 2^exponent), exact for any number of digits.
Int ScaledFraction(std::string_view digits, int32_t exponent) {
  std::string rest(digits);
  Int result = 0;
  for (; exponent > 0; --exponent) {
    int carry = 0;
    for (size_t i = rest.size(); i-- > 0;) {
      const int doubled = (rest[i] - '0') * 2 + carry;
      rest[i] = static_cast<char>('0' + doubled % 10);
      carry = doubled / 10;
    }
    result = result * 2 + carry;
  }
  return result + (AnyNonZero(rest) ? 1 : 0);
}

Int BinaryNano(const Parts& parts, int32_t exponent) {
  constexpr Int kCap = Int{kMaxUnits} * kNanoPerUnit;
  int64_t whole = 0;
  for (char c : parts.whole) {
    if (__builtin_mul_overflow(whole, 10, &whole) || __builtin_add_overflow(whole, c - '0', &whole)) return kCap;
  }
  if (whole > (kMaxUnits >> exponent)) return kCap;
  Int nano = 0;
  for (size_t i = 0; i < 9; ++i) nano = nano * 10 + (i < parts.fraction.size() ? parts.fraction[i] - '0' : 0);
  nano = (nano + Int{whole} * kNanoPerUnit) << exponent;
  if (parts.fraction.size() > 9) nano += ScaledFraction(parts.fraction.substr(9), exponent);
  return nano > kCap ? kCap : nano;
}

}  // namespace

Result<Quantity> Quantity::Parse(std::string_view text) {
  Parts parts;
  if (text.empty() || !Split(text, parts)) {
    return Fail("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }
  Scale scale;
  if (!Interpret(parts.suffix, scale)) return Fail("unable to parse quantity's suffix");
  if (!parts.has_digits && NeedsDigits(scale)) {
    return Fail("unable to parse numeric part of quantity");
  }
  const Int nano = scale.binary ? BinaryNano(parts, scale.exponent) : DecimalNano(parts, scale.exponent);
  return Quantity(parts.negative ? -nano : nano);
}

int64_t Quantity::Scaled(int64_t unit) const {
  Int value = nano_ / unit;
  if (nano_ % unit != 0) value += Sign();
  if (value > std::numeric_limits<int64_t>::max()) return std::numeric_limits<int64_t>::max();
  if (value < std::numeric_limits<int64_t>::min()) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

}  // namespace berth::base
