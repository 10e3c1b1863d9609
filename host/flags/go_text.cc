// Go's strconv and encoding/csv, as far as flags need them.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "flags/value.h"

namespace berth::flags {
namespace {

constexpr std::string_view kQuoteError = "extraneous or missing \" in quoted-field";

// Takes the digits' base off the front, as Go does for base 0.
int TakeBase(std::string_view& digits) {
  if (digits.size() < 2 || digits[0] != '0') return 10;
  const char mark = static_cast<char>(digits[1] | 0x20);
  const int base = mark == 'x' ? 16 : mark == 'b' ? 2 : mark == 'o' ? 8 : 0;
  digits.remove_prefix(base == 0 ? 1 : 2);
  return base == 0 ? 8 : base;
}

// The field at the front of rest, which is left at the comma or the end.
base::Result<std::string> TakeField(std::string_view& rest) {
  if (!rest.starts_with('"')) {
    const std::string field(rest.substr(0, rest.find(',')));
    if (field.find('"') != std::string::npos) return base::Fail("bare \" in non-quoted-field");
    rest.remove_prefix(field.size());
    return field;
  }
  std::string field;
  for (rest.remove_prefix(1);; rest.remove_prefix(1)) {
    if (rest.empty()) return base::Fail(std::string(kQuoteError));
    if (rest.starts_with("\"\"")) {
      rest.remove_prefix(1);
    } else if (rest.front() == '"') {
      rest.remove_prefix(1);
      break;
    }
    field += rest.front();
  }
  if (!rest.empty() && rest.front() != ',') return base::Fail(std::string(kQuoteError));
  return field;
}

}  // namespace

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

base::Result<std::vector<std::string>> ParseCsvLine(std::string_view text) {
  std::vector<std::string> fields;
  if (text.empty()) return fields;
  for (;;) {
    auto field = TakeField(text);
    if (!field) return tl::unexpected(field.error());
    fields.push_back(std::move(*field));
    if (text.empty()) return fields;
    text.remove_prefix(1);
  }
}

std::string CsvLine(const std::vector<std::string>& fields) {
  std::vector<std::string> shown;
  for (const std::string& field : fields) {
    if (field.find_first_of(",\"\r\n") == std::string::npos && !field.starts_with(' ') && !field.starts_with('\t')) {
      shown.push_back(field);
      continue;
    }
    std::string quoted = "\"";
    for (char c : field) quoted += c == '"' ? "\"\"" : std::string(1, c);
    shown.push_back(quoted + "\"");
  }
  return base::Join(shown, ",");
}

std::string Float32Text(float number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Inf" : "+Inf";
  std::array<char, 64> buffer{};
  const auto write = [&](std::chars_format format) {
    return std::string(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format).ptr);
  };
  const std::string scientific = write(std::chars_format::scientific);
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
  return exponent < -4 || exponent >= 6 ? scientific : write(std::chars_format::fixed);
}

}  // namespace berth::flags
