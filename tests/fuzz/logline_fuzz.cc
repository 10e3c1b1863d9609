// A line of the log with --logging-format=json: it must be one JSON object on one line, and contain each short UTF-8
// text unchanged. An input is a message, followed by the names and values of pairs. Each text ends with
// a NUL.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json/value.h"
#include "require.h"
#include "telemetry/log/json_line.h"

namespace {

namespace json = berth::json;
namespace logging = berth::log;

constexpr size_t kLongestLine = 30'000;
constexpr size_t kShort = 500;  // texts up to this length are not cut

std::vector<std::string> TextsOf(std::string_view input) {
  std::vector<std::string> texts;
  while (!input.empty() && texts.size() < 40) {
    const size_t end = std::min(input.find('\0'), input.size());
    texts.emplace_back(input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  return texts;
}

// Whether JSON can contain the text unchanged; the JSON reader decides, because it does not share code with the writer.
bool IsUtf8(const std::string& text) {
  std::string plain;
  for (const char c : text) plain += c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ? '_' : c;
  return json::Parse("\"" + plain + "\"").has_value();
}

void CheckText(const json::Value& line, std::string_view key, const std::string& text) {
  if (text.size() > kShort || !IsUtf8(text)) return;
  const json::Value* shown = line.Find(key);
  Require(shown != nullptr && shown->is_string() && shown->string() == text, "a text is read as it was written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const std::vector<std::string> texts = TextsOf({reinterpret_cast<const char*>(data) + 1, size - 1});
  if (texts.empty()) return 0;
  static const std::vector<std::string> keys = {"pod", "node", "err", "a key", "\"", "\n"};
  std::vector<logging::Pair> pairs;
  for (size_t i = 1; i < texts.size() && i <= keys.size(); ++i) pairs.push_back({keys[i - 1], texts[i]});
  if (data[0] & 1) pairs.push_back({"list", texts});
  if (data[0] & 2) pairs.push_back({"object", logging::KObj(texts[0])});
  const logging::Line line{.severity = data[0] & 4 ? logging::Severity::kError : logging::Severity::kInfo,
                           .v = data[0] >> 4,
                           .file = texts.back(),
                           .line = data[0],
                           .message = texts[0],
                           .pairs = pairs};
  const std::string text = logging::JsonText(line, 1'700'000'000'000'000'000);
  Require(text.size() < kLongestLine, "a line is not longer than a pipe takes at once");
  Require(text.find('\n') == std::string::npos, "a line is one line");
  const auto object = json::Parse(text);
  Require(object.has_value() && object->is_object(), "a line is an object");
  CheckText(*object, "msg", texts[0]);
  for (size_t i = 1; i < texts.size() && i <= keys.size(); ++i) CheckText(*object, keys[i - 1], texts[i]);
  return 0;
}
