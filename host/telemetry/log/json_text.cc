#include "telemetry/log/json_text.h"

#include <charconv>
#include <cmath>

#include "codec/json/utf8.h"

namespace berth::log {
namespace {

void AppendAscii(std::string& out, char c) {
  constexpr const char* kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else if (byte < 0x20) {
    out += "\\u00";
    out += kHex[byte >> 4];
    out += kHex[byte & 0xf];
  } else {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
}

// Appends the first character, and returns how many bytes of the text it has.
size_t AppendCharacter(std::string& out, std::string_view text) {
  if (static_cast<unsigned char>(text[0]) < 0x80) {
    AppendAscii(out, text[0]);
    return 1;
  }
  const size_t length = json::SequenceLength(text);
  if (length == 0) {
    out += "\\ufffd";
    return 1;
  }
  out.append(text.substr(0, length));
  return length;
}

}  // namespace

void AppendJsonText(std::string& out, std::string_view text, size_t limit) {
  out += '"';
  const size_t begin = out.size();
  for (size_t i = 0; i < text.size();) {
    if (out.size() - begin >= limit) {
      out += "... (cut, " + std::to_string(text.size()) + " bytes in all)";
      break;
    }
    i += AppendCharacter(out, text.substr(i));
  }
  out += '"';
}

void AppendJsonKey(std::string& out, std::string_view key, size_t limit) {
  const size_t slash = key.find('/');
  const std::string_view name = slash == std::string_view::npos ? key : key.substr(slash + 1);
  out += "{\"name\":";
  AppendJsonText(out, name, limit / 2);
  if (slash != std::string_view::npos && slash > 0) {
    out += ",\"namespace\":";
    AppendJsonText(out, key.substr(0, slash), limit / 2);
  }
  out += '}';
}

void AppendJsonList(std::string& out, std::span<const std::string> list, size_t limit) {
  out += '[';
  const size_t begin = out.size();
  for (size_t i = 0; i < list.size(); ++i) {
    if (i != 0) out += ',';
    const size_t used = out.size() - begin;
    if (used >= limit) {
      out += "\"... (cut, " + std::to_string(list.size()) + " elements in all)\"";
      break;
    }
    AppendJsonText(out, list[i], limit - used);
  }
  out += ']';
}

void AppendJsonNumber(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += std::isnan(number) ? "\"NaN\"" : number > 0 ? "\"+Inf\"" : "\"-Inf\"";
    return;
  }
  char text[400];  // 1e308 has 309 digits, and 5e-324 has 326
  out.append(text, std::to_chars(text, text + sizeof text, number, std::chars_format::fixed).ptr);
}

}  // namespace berth::log
