#include "base/text.h"

#include <cstdio>

namespace berth::base {
namespace {

char LowerOf(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = LowerOf(c);
  return lower;
}

std::string LowerFirst(std::string text) {
  if (!text.empty()) text[0] = LowerOf(text[0]);
  return text;
}

std::string Join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (IsControl(c)) {
          char escape[8];
          std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned char>(c));
          out += escape;
        } else {
          out += c;
        }
    }
  }
  return out + "\"";
}

std::string Bracketed(const std::vector<std::string>& parts) { return "[" + Join(parts, " ") + "]"; }

namespace {

// Matches one [set] at pattern[p] (directly after '['); moves p after ']'. A set without ']' matches nothing.
bool SetMatches(std::string_view pattern, size_t& p, char c) {
  bool negate = p < pattern.size() && (pattern[p] == '!' || pattern[p] == '^');
  if (negate) ++p;
  bool matched = false;
  for (bool first = true; p < pattern.size() && (first || pattern[p] != ']'); first = false) {
    char low = pattern[p++];
    char high = low;
    if (p + 1 < pattern.size() && pattern[p] == '-' && pattern[p + 1] != ']') {
      high = pattern[p + 1];
      p += 2;
    }
    matched = matched || (low <= c && c <= high);
  }
  if (p >= pattern.size()) return false;
  ++p;
  return matched != negate;
}

}  // namespace

bool GlobMatches(std::string_view pattern, std::string_view name) {
  size_t p = 0, n = 0;
  size_t star = std::string_view::npos, star_n = 0;  // where to resume after the last '*'
  while (true) {
    bool ok = false;
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_n = n;
      continue;
    }
    if (n == name.size()) return p == pattern.size();
    if (p < pattern.size()) {
      if (pattern[p] == '?') {
        ++p;
        ok = true;
      } else if (pattern[p] == '[') {
        ok = SetMatches(pattern, ++p, name[n]);
      } else {
        if (pattern[p] == '\\' && p + 1 < pattern.size()) ++p;
        ok = pattern[p++] == name[n];
      }
    }
    if (ok) {
      ++n;
    } else if (star != std::string_view::npos) {
      p = star;
      n = ++star_n;
      if (star_n > name.size()) return false;
    } else {
      return false;
    }
  }
}

}  // namespace berth::base
