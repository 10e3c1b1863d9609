#include "codec/yaml/yaml_scalar.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <unordered_map>

#include "codec/json/utf8.h"
#include "codec/text/base64.h"
#include "codec/text/number.h"
#include "codec/yaml/yaml_timestamp.h"

#include "base/text.h"

namespace berth::yaml {
namespace {

using json::Value;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const std::unordered_map<std::string_view, Value>& Words() {
  static const auto* words = new std::unordered_map<std::string_view, Value>{
      {"", Value()},
      {"~", Value()},
      {"null", Value()},
      {"Null", Value()},
      {"NULL", Value()},
      {"y", Value(true)},
      {"Y", Value(true)},
      {"yes", Value(true)},
      {"Yes", Value(true)},
      {"YES", Value(true)},
      {"true", Value(true)},
      {"True", Value(true)},
      {"TRUE", Value(true)},
      {"on", Value(true)},
      {"On", Value(true)},
      {"ON", Value(true)},
      {"n", Value(false)},
      {"N", Value(false)},
      {"no", Value(false)},
      {"No", Value(false)},
      {"NO", Value(false)},
      {"false", Value(false)},
      {"False", Value(false)},
      {"FALSE", Value(false)},
      {"off", Value(false)},
      {"Off", Value(false)},
      {"OFF", Value(false)},
      {".nan", Value(std::nan(""))},
      {".NaN", Value(std::nan(""))},
      {".NAN", Value(std::nan(""))},
      {".inf", Value(kInfinity)},
      {".Inf", Value(kInfinity)},
      {".INF", Value(kInfinity)},
      {"+.inf", Value(kInfinity)},
      {"+.Inf", Value(kInfinity)},
      {"+.INF", Value(kInfinity)},
      {"-.inf", Value(-kInfinity)},
      {"-.Inf", Value(-kInfinity)},
      {"-.INF", Value(-kInfinity)},
  };
  return *words;
}

size_t DigitRun(std::string_view text, size_t from) {
  size_t end = from;
  while (end < text.size() && base::IsDigit(text[end])) ++end;
  return end - from;
}

// [-+]? ( .digits | digits[.digits*] ) [ eE[-+]?digits ]
bool LooksLikeFloat(std::string_view text) {
  size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const size_t whole = DigitRun(text, at);
  at += whole;
  if (at < text.size() && text[at] == '.') {
    const size_t fraction = DigitRun(text, at + 1);
    if (whole + fraction == 0) return false;
    at += 1 + fraction;
  } else if (whole == 0) {
    return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    at += at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+') ? 2 : 1;
    const size_t exponent = DigitRun(text, at);
    if (exponent == 0) return false;
    at += exponent;
  }
  return at == text.size();
}

// A double after its way through JSON: a number without a fraction becomes an integer with the same digits.
Value FromDouble(double number) {
  const std::string text = json::NumberText(number);
  const char* const end = text.data() + text.size();
  int64_t whole = 0;
  uint64_t beyond = 0;
  if (const auto read = std::from_chars(text.data(), end, whole); read.ec == std::errc() && read.ptr == end) {
    return Value(whole);
  }
  if (const auto read = std::from_chars(text.data(), end, beyond); read.ec == std::errc() && read.ptr == end) {
    return Value::Whole(beyond);
  }
  return Value(number);
}

std::optional<Value> ParseFloat(const std::string& text) {
  if (!LooksLikeFloat(text)) return std::nullopt;
  const double number = std::strtod(text.c_str(), nullptr);
  if (std::isinf(number)) return std::nullopt;
  return FromDouble(number);
}

// ".5": underscores may stand between digits.
std::optional<Value> ParseFraction(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool between =
        text[i] == '_' && base::IsDigit(text[i - 1]) && i + 1 < text.size() && base::IsDigit(text[i + 1]);
    if (!between) plain += text[i];
  }
  return ParseFloat(plain);
}

// Go's ParseInt with base 0, else ParseUint, which accepts no sign. 0x, 0o, 0b and a leading 0 select the base.
std::optional<Value> ParseInt(std::string_view text) {
  const bool negative = text.front() == '-';
  const bool has_sign = negative || text.front() == '+';
  if (has_sign) text.remove_prefix(1);
  const int base = text::TakeBase(text);
  uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  const uint64_t limit = static_cast<uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  if (has_sign && size > limit) return std::nullopt;
  return negative ? Value(static_cast<int64_t>(0 - size)) : Value::Whole(size);
}

// [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?  YAML 1.1 readers read these as numbers of base 60.
bool IsBase60(std::string_view text) {
  const auto run = [](std::string_view t, size_t from) {
    return std::min(t.find_first_not_of("0123456789_", from), t.size());
  };
  size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  if (at >= text.size() || !base::IsDigit(text[at])) return false;
  at = run(text, at);
  if (at >= text.size() || text[at] != ':') return false;
  while (at < text.size() && text[at] == ':') {
    const size_t digits = DigitRun(text, at + 1);
    if (digits == 0 || digits > 2 || (digits == 2 && text[at + 1] > '5')) return false;
    at += 1 + digits;
  }
  if (at < text.size() && text[at] == '.') at = run(text, at + 1);
  return at == text.size();
}

std::string ShortTag(const std::string& tag) {
  constexpr std::string_view kPrefix = "tag:yaml.org,2002:";
  return tag.starts_with(kPrefix) ? "!!" + tag.substr(kPrefix.size()) : tag;
}

const char* TagOf(const Value& value) {
  switch (value.kind()) {
    case json::Kind::kNull: return "!!null";
    case json::Kind::kBool: return "!!bool";
    case json::Kind::kInt: return "!!int";
    case json::Kind::kNumber: return value.beyond_int64() != 0 ? "!!int" : "!!float";
    default: return "!!str";
  }
}

}  // namespace

Value PlainScalar(std::string_view text) {
  constexpr std::string_view kWordStarts = "yYnNtTfFoO~.";
  const char first = text.empty() ? '~' : text.front();
  const bool numeric = base::IsDigit(first) || first == '-' || first == '+';
  if (!numeric && kWordStarts.find(first) == std::string_view::npos) return Value(text);
  if (const auto word = Words().find(text); word != Words().end()) return word->second;
  if (first == '.') return ParseFraction(text).value_or(Value(text));
  if (!numeric) return Value(text);
  std::string plain(text);
  std::erase(plain, '_');
  if (const auto number = ParseInt(plain)) return *number;
  if (const auto number = ParseFloat(plain)) return *number;
  return Value(text);
}

base::Result<Value> TaggedScalar(const std::string& tag, const std::string& text) {
  const std::string wanted = ShortTag(tag);
  if (wanted == "!!binary") {
    const auto bytes = text::DecodeBase64(text);
    if (!bytes) return base::Fail("!!binary value contains invalid base64 data");
    return Value(json::ToUtf8(*bytes));
  }
  const bool known = wanted == "!!bool" || wanted == "!!int" || wanted == "!!float" || wanted == "!!null";
  if (!known) return Value(text);
  Value value = PlainScalar(text);
  const std::string_view found = TagOf(value);
  // A float may be an int here: 1.0 becomes an int in JSON.
  if (wanted == found || (wanted == "!!float" && found == "!!int")) return value;
  return base::Fail("cannot decode " + std::string(found) + " `" + text + "` as a " + wanted);
}

std::string KeyText(const Value& scalar) {
  switch (scalar.kind()) {
    case json::Kind::kBool: return scalar.boolean() ? "true" : "false";
    case json::Kind::kInt:
    case json::Kind::kNumber: return json::NumberText(scalar);
    case json::Kind::kString: return scalar.string();
    default: return {};
  }
}

bool StaysString(std::string_view text) {
  return PlainScalar(text).is_string() && !IsTimestamp(text) && !IsBase60(text);
}

}  // namespace berth::yaml
