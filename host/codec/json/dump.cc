#include <charconv>
#include <cmath>
#include <cstdlib>

#include "codec/json/utf8.h"
#include "codec/json/value.h"

namespace berth::json {
namespace {

void AppendControl(std::string& out, char c) {
  constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default:
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
  }
}

// "-1.25e+03" written without exponent: the same digits, zeros where there are none (to_chars would print digits that
// the shortest form does not need).
std::string Positional(const std::string& scientific) {
  const size_t e = scientific.find('e');
  const int exponent = std::atoi(scientific.c_str() + e + 1);
  const std::string sign = scientific.starts_with('-') ? "-" : "";
  std::string digits;
  for (char c : scientific.substr(0, e)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  if (exponent < 0) return sign + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0');
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

// Writes a value; pretty when indent >= 0.
class Writer {
 public:
  Writer(std::string& out, int indent) : out_(out), indent_(indent) {}

  void Write(const Value& value) {
    switch (value.kind()) {
      case Kind::kNull: out_ += "null"; break;
      case Kind::kBool: out_ += value.boolean() ? "true" : "false"; break;
      case Kind::kInt:
      case Kind::kNumber: out_ += NumberText(value); break;
      case Kind::kString: AppendQuoted(out_, value.string()); break;
      case Kind::kArray: WriteArray(value.array()); break;
      case Kind::kObject: WriteObject(value.object()); break;
    }
  }

 private:
  void WriteArray(const Array& elements) {
    Open('[');
    for (const Value& element : elements) {
      Separate(&element != &elements.front());
      Write(element);
    }
    Close(']', elements.empty());
  }
  void WriteObject(const Object& members) {
    Open('{');
    for (const Member& member : members) {
      Separate(&member != &members.front());
      AppendQuoted(out_, member.first);
      out_ += indent_ < 0 ? ":" : ": ";
      Write(member.second);
    }
    Close('}', members.empty());
  }
  void Open(char bracket) {
    out_ += bracket;
    ++depth_;
  }
  void Close(char bracket, bool empty) {
    --depth_;
    if (!empty) NewLine();
    out_ += bracket;
  }
  void Separate(bool comma) {
    if (comma) out_ += ',';
    NewLine();
  }
  void NewLine() {
    if (indent_ < 0) return;
    out_ += '\n';
    out_.append(static_cast<size_t>(indent_) * static_cast<size_t>(depth_), ' ');
  }

  std::string& out_;
  int indent_;
  int depth_ = 0;
};

}  // namespace

std::string NumberText(double number) {
  if (!std::isfinite(number)) return "null";
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific).ptr;
  std::string text(buffer, end);
  const double size = std::fabs(number);
  if (size != 0 && (size < 1e-6 || size >= 1e21)) {
    const size_t padded = text.find("e-0");
    if (padded != std::string::npos) text.erase(padded + 2, 1);
    return text;
  }
  return Positional(text);
}

std::string NumberText(const Value& number) {
  if (number.is_int()) return std::to_string(number.integer());
  if (const uint64_t beyond = number.beyond_int64()) return std::to_string(beyond);
  return NumberText(number.number());
}

void AppendQuoted(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const size_t length = SequenceLength(text);
    const char c = text.front();
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      AppendControl(out, c);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

std::string Dump(const Value& value, int indent) {
  std::string out;
  Writer(out, indent).Write(value);
  return out;
}

}  // namespace berth::json
