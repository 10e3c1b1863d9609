#include "client/credentials/redact.h"

#include <algorithm>
#include <cstdio>

#include "base/text.h"

namespace berth::credentials {
namespace {

constexpr size_t kLongestFileName = 255;  // bytes, of any Linux file system
constexpr size_t kLongestFieldName = 40;

bool IsFieldNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

bool IsWhiteSpace(unsigned char c) { return c >= '\t' && c <= '\r'; }

std::string CodePoint(unsigned code) {
  char text[16];
  std::snprintf(text, sizeof text, "U+%04X", code);
  return text;
}

}  // namespace

std::string ShownPath(const std::string& path) {
  constexpr const char* kNoPath = "(not a file's name; is it the data itself?)";
  size_t name = 0;
  for (const char c : path) {
    if (static_cast<unsigned char>(c) < ' ') return kNoPath;
    name = c == '/' ? 0 : name + 1;
    if (name > kLongestFileName) return kNoPath;
  }
  return path;
}

std::string ShownName(const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(), IsFieldNameCharacter);
  return plain && !name.empty() && name.size() <= kLongestFieldName ? name : "(not a field's name)";
}

std::string ShownReason(std::string_view reason) {
  // The texts after which the parsers of config and json quote: nlohmann's "; last read: '...'" and "parsing
  // '...'", yaml-cpp's and our own "invalid map key: ..." and "`...`".
  size_t end = reason.size();
  for (const std::string_view quotes : {"; last read", " parsing '", ": ", "`"})
    end = std::min(end, reason.find(quotes));
  return std::string(reason.substr(0, end));
}

std::string WithoutControls(std::string_view text) {
  std::string clean;
  for (size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const unsigned char next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (base::IsControl(text[i]) && !IsWhiteSpace(c)) {
      clean += CodePoint(c);
    } else if (c == 0xc2 && next >= 0x80 && next <= 0x9f) {  // C1 controls in UTF-8
      clean += CodePoint(next);
      ++i;
    } else {
      clean += text[i];
    }
  }
  return clean;
}

}  // namespace berth::credentials
