#include "telemetry/log/json_line.h"

#include <algorithm>

#include "telemetry/log/json_text.h"

namespace berth::log {
namespace {

constexpr size_t kLongestJson = 30'000;
constexpr size_t kRemark = 64;  // of what is cut, at most

// The last directory and the name, as zapcore.ShortCallerEncoder.
std::string_view ShortPath(std::string_view file) {
  const size_t name = file.rfind('/');
  if (name == std::string_view::npos || name == 0) return file;
  const size_t folder = file.rfind('/', name - 1);
  return folder == std::string_view::npos ? file : file.substr(folder + 1);
}

void AppendPair(std::string& out, const Pair& pair, size_t limit) {
  out += ',';
  AppendJsonText(out, pair.key, limit);
  out += ':';
  pair.value.AppendJson(out, limit);
}

// limit: of each text and list.
std::string WithLimit(const Line& line, int64_t unix_ns, size_t limit) {
  std::string out = "{\"ts\":";
  AppendJsonNumber(out, static_cast<double>(unix_ns) / 1e6);
  out += ",\"caller\":";
  AppendJsonText(out, std::string(ShortPath(line.file)) + ":" + std::to_string(std::max(line.line, 0)), limit);
  out += ",\"msg\":";
  AppendJsonText(out, line.message, limit);
  const bool error = line.severity == Severity::kError;
  if (!error) out += ",\"v\":" + std::to_string(line.severity == Severity::kInfo ? line.v : 0);
  for (const Pair& pair : line.pairs) {
    if (!error || pair.key != "err") AppendPair(out, pair, limit);
  }
  for (const Pair& pair : line.pairs) {
    if (error && pair.key == "err") AppendPair(out, pair, limit);
  }
  return out + "}";
}

}  // namespace

std::string JsonText(const Line& line, int64_t unix_ns) {
  std::string text = WithLimit(line, unix_ns, kLongestJson);
  if (text.size() < kLongestJson) return text;
  // Caller, message, and two texts for each pair, each with its remark and one character beyond the limit.
  const size_t texts = 2 + 2 * line.pairs.size();
  const size_t each = (kLongestJson - 256) / texts;
  return WithLimit(line, unix_ns, each > 2 * kRemark ? each - 2 * kRemark : kRemark);
}

}  // namespace berth::log
