#include "telemetry/log/log_value.h"

#include <charconv>
#include <cmath>

#include "base/text.h"
#include "codec/text/duration.h"
#include "telemetry/log/json_text.h"

namespace berth::log {
namespace {

template <class T>
void AppendNumber(std::string& out, T number) {
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

// As Go's encoding/json: the shortest digits, and an exponent only for very small and very large numbers.
void AppendDouble(std::string& out, double d) {
  if (!std::isfinite(d)) {
    out += std::isnan(d) ? "\"NaN\"" : d > 0 ? "\"+Inf\"" : "\"-Inf\"";
    return;
  }
  const double size = std::fabs(d);
  const bool exponent = size != 0 && (size < 1e-6 || size >= 1e21);
  char text[64];
  char* end =
      std::to_chars(text, text + sizeof text, d, exponent ? std::chars_format::scientific : std::chars_format::fixed)
          .ptr;
  if (exponent && end[-2] == '0') {  // e-09 is e-9 in Go
    end[-2] = end[-1];
    --end;
  }
  out.append(text, end);
}

void AppendText(std::string& out, std::string_view text) {
  size_t end = text.find('\n');
  if (end == std::string_view::npos) {
    out += base::Quoted(text);
    return;
  }
  out += "<\n";
  for (size_t start = 0; start < text.size(); start = end + 1) {
    end = std::min(text.find('\n', start), text.size());
    out.append("\t").append(text.substr(start, end - start)).append("\n");
  }
  out += " >";
}

void AppendList(std::string& out, std::span<const std::string> list) {
  out += '[';
  for (size_t i = 0; i < list.size(); ++i) {
    if (i != 0) out += ',';
    out += base::Quoted(list[i]);
  }
  out += ']';
}

}  // namespace

void Value::AppendTo(std::string& out) const {
  out += '=';
  struct Printer {
    std::string& out;
    void operator()(bool b) const { out += b ? "true" : "false"; }
    void operator()(int64_t i) const { AppendNumber(out, i); }
    void operator()(uint64_t u) const { AppendNumber(out, u); }
    void operator()(double d) const { AppendDouble(out, d); }
    void operator()(std::string_view text) const { AppendText(out, text); }
    void operator()(ObjectKey key) const { AppendText(out, key.text); }
    void operator()(std::chrono::nanoseconds duration) const { AppendText(out, text::FormatDuration(duration)); }
    void operator()(std::span<const std::string> list) const { AppendList(out, list); }
  };
  std::visit(Printer{out}, data_);
}

void Value::AppendJson(std::string& out, size_t limit) const {
  struct Printer {
    std::string& out;
    size_t limit;
    void operator()(bool b) const { out += b ? "true" : "false"; }
    void operator()(int64_t i) const { AppendNumber(out, i); }
    void operator()(uint64_t u) const { AppendNumber(out, u); }
    void operator()(double d) const { AppendJsonNumber(out, d); }
    void operator()(std::string_view text) const { AppendJsonText(out, text, limit); }
    void operator()(ObjectKey key) const { AppendJsonKey(out, key.text, limit); }
    void operator()(std::chrono::nanoseconds duration) const {
      AppendJsonText(out, text::FormatDuration(duration), limit);
    }
    void operator()(std::span<const std::string> list) const { AppendJsonList(out, list, limit); }
  };
  std::visit(Printer{out, limit}, data_);
}

std::string LineText(std::string_view message, std::span<const Pair> pairs) {
  if (pairs.empty()) return std::string(message);
  std::string out = base::Quoted(message);
  for (const Pair& pair : pairs) {
    out += ' ';
    out += pair.key;
    pair.value.AppendTo(out);
  }
  return out;
}

}  // namespace berth::log
