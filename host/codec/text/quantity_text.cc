#include "codec/text/quantity_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace berth::text {
namespace {

using Number128 = unsigned __int128;

constexpr Number128 kNanoPerUnit = 1'000'000'000, kNanoPerMilli = 1'000'000;
constexpr Number128 kBinaryStep = 1024, kDecimalStep = 1000;
constexpr std::array<std::string_view, 10> kDecimalSuffixes{"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
constexpr std::array<std::string_view, 7> kBinarySuffixes{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
constexpr int kFirstExponent = -9;  // of kDecimalSuffixes

std::string DigitsOf(Number128 number) {
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(number % 10));
    number /= 10;
  } while (number != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

// Divides number by step as long as that is exact, at most `most` times. Returns how often.
size_t TakeFactors(Number128& number, Number128 step, size_t most) {
  size_t times = 0;
  while (times < most && number % step == 0) {
    number /= step;
    ++times;
  }
  return times;
}

std::string BinaryText(Number128 nano) {
  Number128 units = (nano + kNanoPerUnit - 1) / kNanoPerUnit;
  const size_t step = TakeFactors(units, kBinaryStep, kBinarySuffixes.size() - 1);
  return DigitsOf(units) + std::string(kBinarySuffixes[step]);
}

std::string DecimalText(Number128 nano, bool as_exponent) {
  const size_t step = TakeFactors(nano, kDecimalStep, kDecimalSuffixes.size() - 1);
  if (!as_exponent) return DigitsOf(nano) + std::string(kDecimalSuffixes[step]);
  const int exponent = kFirstExponent + 3 * static_cast<int>(step);
  return DigitsOf(nano) + (exponent == 0 ? "" : "e" + std::to_string(exponent));
}

// The largest number whose quantity is not more than q.
template <class Make>
int64_t Floor(base::Quantity q, int64_t ceiling, Make make) {
  return make(ceiling) > q ? ceiling - 1 : ceiling;
}

// 0 <= q < 1m
int64_t NanoBelowMilli(base::Quantity q) {
  int64_t low = 0, high = 1'000'000;
  while (high - low > 1) {
    const int64_t middle = (low + high) / 2;
    (*base::Quantity::Parse(std::to_string(middle) + "n") > q ? high : low) = middle;
  }
  return low;
}

// q >= 0
Number128 NanoOf(base::Quantity q) {
  const int64_t units = Floor(q, q.Value(), base::Quantity::FromUnits);
  const base::Quantity fraction = q - base::Quantity::FromUnits(units);
  const int64_t milli = Floor(fraction, fraction.MilliValue(), base::Quantity::FromMilli);
  const base::Quantity rest = fraction - base::Quantity::FromMilli(milli);
  return static_cast<Number128>(units) * kNanoPerUnit + static_cast<Number128>(milli) * kNanoPerMilli +
         static_cast<Number128>(rest.IsZero() ? 0 : NanoBelowMilli(rest));
}

std::string Magnitude(Number128 nano, QuantityFormat format) {
  if (nano == 0) return "0";
  if (format == QuantityFormat::kBinarySi && nano >= kBinaryStep * kNanoPerUnit) return BinaryText(nano);
  return DecimalText(nano, format == QuantityFormat::kDecimalExponent);
}

}  // namespace

QuantityFormat FormatOfQuantity(std::string_view text) {
  text = text.substr(0, text.find_last_not_of("\" \t\r\n") + 1);
  if (text.ends_with('i')) return QuantityFormat::kBinarySi;
  const size_t exponent = text.find_first_of("eE");
  const bool exa = exponent + 1 == text.size();  // "2E"
  return exponent == std::string_view::npos || exa ? QuantityFormat::kDecimalSi : QuantityFormat::kDecimalExponent;
}

std::string QuantityText(base::Quantity quantity, QuantityFormat format) {
  if (quantity.Sign() >= 0) return Magnitude(NanoOf(quantity), format);
  return "-" + Magnitude(NanoOf(base::Quantity() - quantity), format);
}

}  // namespace berth::text
