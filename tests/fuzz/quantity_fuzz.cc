// Quantities: an accepted quantity has one value in every notation, and rounds as in Kubernetes.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/quantity.h"
#include "require.h"

namespace {

using berth::base::Quantity;

Quantity Negated(Quantity quantity) { return Quantity() - quantity; }

void RequireValue(const std::string& text, Quantity wanted, const char* what) {
  const auto read = Quantity::Parse(text);
  Require(read && *read == wanted, what);
}

bool FitsInt64(Quantity quantity) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  return quantity < Quantity::FromUnits(kMost / 1000) && quantity > Quantity::FromUnits(-(kMost / 1000));
}

// Checks that the quantity is rounded away from zero, by less than `step`.
void CheckRounding(Quantity quantity, Quantity rounded, Quantity step, bool whole) {
  const Quantity more = quantity.Sign() < 0 ? quantity - rounded : rounded - quantity;
  Require(more.Sign() >= 0 && more < step, "rounded away from zero, to the next");
  Require((more.Sign() == 0) == whole, "only what is whole is not rounded");
}

void CheckCanonical(Quantity quantity) {
  if (!FitsInt64(quantity)) return;
  const int64_t units = quantity.Value(), milli = quantity.MilliValue();
  CheckRounding(quantity, Quantity::FromUnits(units), Quantity::FromUnits(1), quantity.IsWholeUnits());
  CheckRounding(quantity, Quantity::FromMilli(milli), Quantity::FromMilli(1), quantity.IsWholeMilli());
  RequireValue(std::to_string(units), Quantity::FromUnits(units), "units read back");
  RequireValue(std::to_string(milli) + "m", Quantity::FromMilli(milli), "thousandths read back");
  RequireValue(std::to_string(milli) + "e-3", Quantity::FromMilli(milli), "an exponent says the same as m");
  Require(!quantity.IsWholeUnits() || quantity.IsWholeMilli(), "whole units are whole thousandths");
}

// number: an accepted text without a suffix.
void CheckSuffixes(const std::string& number) {
  const std::pair<const char*, const char*> same[] = {{"n", "e-9"}, {"u", "E-6"}, {"m", "e-3"}, {"", "e0"},
                                                      {"k", "e3"},  {"M", "E6"},  {"G", "e9"},  {"T", "E12"},
                                                      {"P", "e15"}, {"E", "e18"}};
  for (const auto& [letter, exponent] : same) {
    const auto read = Quantity::Parse(number + letter);
    Require(read.has_value(), "a number takes a suffix");
    RequireValue(number + exponent, *read, "a suffix is its exponent");
  }
  if (number.find('.') != std::string::npos || number.size() > 12) return;
  Quantity doubled = *Quantity::Parse(number);
  for (int i = 0; i < 10; ++i) doubled += doubled;
  RequireValue(number + "Ki", doubled, "Ki is ten doublings");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto read = Quantity::Parse(text);
  if (!read) {
    Require(!read.error().message.empty(), "what is refused has a reason");
    return 0;
  }
  const bool has_sign = text[0] == '-' || text[0] == '+';
  const std::string number = has_sign ? text.substr(1) : text;
  RequireValue("-" + number, text[0] == '-' ? *read : Negated(*read), "a minus sign negates");
  RequireValue("+" + number, text[0] == '-' ? Negated(*read) : *read, "a plus sign means nothing");
  RequireValue((has_sign ? text.substr(0, 1) : "") + "00" + number, *read, "leading zeros mean nothing");
  Require(Quantity::FromUnits(0) + *read - *read == Quantity(), "a difference with itself is zero");
  CheckCanonical(*read);
  if (!number.empty() && number.find_first_not_of("0123456789.") == std::string::npos &&
      number.find_first_of("0123456789") != std::string::npos) {
    CheckSuffixes(number);
  }
  return 0;
}
