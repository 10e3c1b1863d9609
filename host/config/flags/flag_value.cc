#include "config/flags/flag_value.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>

#include "base/text.h"
#include "codec/text/number.h"
#include "config/flags/csv.h"

namespace berth::flags {
namespace {

using base::Result;

// A Value that stores the result of parse.
template <class T, class Parse, class Show>
Value Scalar(std::string type, T& at, Parse parse, Show show) {
  return {std::move(type),
          [&at, parse](const std::string& text) -> Result<void> {
            auto parsed = parse(text);
            if (!parsed) return tl::unexpected(parsed.error());
            at = static_cast<T>(*parsed);
            return {};
          },
          [&at, show] { return show(at); }};
}

// As Scalar, for containers: parse returns one container for each occurrence.
template <class C, class Parse, class Show>
Value Growing(std::string type, C& at, Parse parse, Show show) {
  return {std::move(type),
          [&at, parse, first = std::make_shared<bool>(true)](const std::string& text) -> Result<void> {
            auto parsed = parse(text);
            if (!parsed) return tl::unexpected(parsed.error());
            if (*first) at.clear();
            *first = false;
            if constexpr (requires { typename C::mapped_type; }) {
              for (auto& [key, value] : *parsed) at.insert_or_assign(key, value);
            } else {
              at.insert(at.end(), parsed->begin(), parsed->end());
            }
            return {};
          },
          [&at, show] { return "[" + show(at) + "]"; }};
}

const auto kDecimal = [](auto number) { return std::to_string(number); };

Result<std::vector<int32_t>> ParseInt32List(const std::string& text) {
  std::vector<int32_t> out;
  std::string_view rest = text;
  for (;;) {
    const size_t comma = rest.find(',');
    const auto number = text::ParseInt(rest.substr(0, comma), 32);
    if (!number) return tl::unexpected(number.error());
    out.push_back(static_cast<int32_t>(*number));
    if (comma == std::string_view::npos) return out;
    rest.remove_prefix(comma + 1);
  }
}

Result<std::map<std::string, std::string>> ParseMap(const std::string& text) {
  const auto equals = std::count(text.begin(), text.end(), '=');
  if (equals == 0) return base::Fail(text + " must be formatted as key=value");
  // A text with one = is one pair, which may contain commas.
  Result<std::vector<std::string>> pairs = std::vector<std::string>{text};
  if (equals > 1) pairs = ParseCsvLine(text);
  if (!pairs) return tl::unexpected(pairs.error());
  std::map<std::string, std::string> out;
  for (const std::string& pair : *pairs) {
    const size_t split = pair.find('=');
    if (split == std::string::npos) return base::Fail(pair + " must be formatted as key=value");
    out[pair.substr(0, split)] = pair.substr(split + 1);
  }
  return out;
}

std::string MapText(const std::map<std::string, std::string>& map) {
  std::vector<std::string> pairs;
  for (const auto& [key, value] : map) pairs.push_back(key + "=" + value);
  return CsvLine(pairs);
}

}  // namespace

Value Text(std::string& at) {
  return Scalar(
      "string", at, [](const std::string& text) { return Result<std::string>(text); },
      [](const std::string& text) { return text; });
}

Value Choice(std::string& at, std::vector<std::string> allowed) {
  const std::string list = "{" + base::Join(allowed, ",") + "}";
  const auto parse = [allowed = std::move(allowed), list](const std::string& text) -> Result<std::string> {
    if (std::find(allowed.begin(), allowed.end(), text) == allowed.end()) return base::Fail("not in " + list);
    return text;
  };
  return Scalar(list, at, parse, [](const std::string& text) { return text; });
}

Value Bool(bool& at) {
  Value value = Scalar("", at, text::ParseBool, [](bool on) { return std::string(on ? "true" : "false"); });
  value.takes = Takes::kNothing;
  return value;
}

Value Int32(int32_t& at) {
  return Scalar(
      "int32", at, [](const std::string& text) { return text::ParseInt(text, 32); }, kDecimal);
}

Value Int64(int64_t& at) {
  return Scalar(
      "int", at, [](const std::string& text) { return text::ParseInt(text, 64); }, kDecimal);
}

Value Uint64(uint64_t& at) {
  const auto parse = [](const std::string& text) -> Result<uint64_t> {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string what = "strconv.ParseUint: parsing " + base::Quoted(text) + ": ";
    if (error == std::errc::result_out_of_range) return base::Fail(what + "value out of range");
    if (error != std::errc() || end != text.data() + text.size()) return base::Fail(what + "invalid syntax");
    return number;
  };
  return Scalar("uint", at, parse, kDecimal);
}

Value Float32(float& at) {
  const auto parse = [](const std::string& text) -> Result<float> {
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    float number = 0;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
    const std::string what = "strconv.ParseFloat: parsing " + base::Quoted(text) + ": ";
    if (error == std::errc::result_out_of_range) return base::Fail(what + "value out of range");
    if (error != std::errc() || end != text.data() + text.size()) return base::Fail(what + "invalid syntax");
    return number;
  };
  return Scalar("float32", at, parse, [](float number) { return text::FloatText(number); });
}

Value Level(int& at) {
  const auto parse = [](const std::string& text) -> Result<int> {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string what = "strconv.ParseUint: parsing " + base::Quoted(text) + ": ";
    if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
      return base::Fail(what + "invalid syntax");
    }
    if (error != std::errc() || number > static_cast<uint64_t>(std::numeric_limits<int>::max())) {
      return base::Fail(what + "value out of range");
    }
    return static_cast<int>(number);
  };
  return Scalar("Level", at, parse, kDecimal);
}

Value List(std::vector<std::string>& at) { return Growing("strings", at, ParseCsvLine, CsvLine); }

Value Int32List(std::vector<int32_t>& at) {
  const auto show = [](const std::vector<int32_t>& numbers) {
    std::vector<std::string> texts;
    for (int32_t number : numbers) texts.push_back(std::to_string(number));
    return base::Join(texts, ",");
  };
  return Growing("int32Slice", at, ParseInt32List, show);
}

Value Map(std::map<std::string, std::string>& at) { return Growing("stringToString", at, ParseMap, MapText); }

Value Repeated(std::vector<std::string>& at, Takes takes) {
  Value value = Growing(
      "string", at, [](const std::string& text) { return Result<std::vector<std::string>>({text}); }, CsvLine);
  value.takes = takes;
  return value;
}

}  // namespace berth::flags
