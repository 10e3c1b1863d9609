#include "codec/yaml/yaml_key_order.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "codec/json/utf8.h"

namespace berth::yaml {
namespace {

// Code points; a byte that is not UTF-8 is its own code point.
std::u32string Runes(std::string_view text) {
  std::u32string runes;
  while (!text.empty()) {
    const size_t length = std::max<size_t>(1, json::SequenceLength(text));
    const auto lead = static_cast<unsigned char>(text.front());
    char32_t rune = length == 1 ? lead : lead & (0x7Fu >> length);
    for (size_t i = 1; i < length; ++i) rune = rune << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
    runes += rune;
    text.remove_prefix(length);
  }
  return runes;
}

bool IsDigit(char32_t c) { return c >= '0' && c <= '9'; }
// Beyond ASCII, whole blocks count as letters or as symbols, like most of their characters.
bool IsLetter(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (c < 0xC0) return c == 0xAA || c == 0xB5 || c == 0xBA;
  const bool signs = (c >= 0x2000 && c < 0x2C00) || (c >= 0x2E00 && c < 0x3005) || (c >= 0xE000 && c < 0xF900);
  const bool pictures = c >= 0x1F000 && c < 0x20000;
  return c != 0xD7 && c != 0xF7 && !signs && !pictures;
}

struct Number {
  int64_t value = 0;
  size_t end = 0;
};

Number ReadNumber(const std::u32string& runes, size_t from, int64_t start) {
  Number number{start, from};
  for (; number.end < runes.size() && IsDigit(runes[number.end]); ++number.end) {
    // As in Go, long numbers wrap around, here without undefined behavior.
    number.value = static_cast<int64_t>(static_cast<uint64_t>(number.value) * 10 + (runes[number.end] - '0'));
  }
  return number;
}

// True when the digits in front of position at are a number other than 0: a 0 at the position then counts as a digit.
bool FollowsNumber(const std::u32string& runes, size_t at) {
  for (size_t i = at; i > 0 && IsDigit(runes[i - 1]); --i) {
    if (runes[i - 1] != '0') return true;
  }
  return false;
}

}  // namespace

bool KeyLess(std::string_view a_text, std::string_view b_text) {
  const std::u32string a = Runes(a_text);
  const std::u32string b = Runes(b_text);
  size_t i = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
  if (i == a.size() || i == b.size()) return a.size() < b.size();
  if (IsLetter(a[i]) && IsLetter(b[i])) return a[i] < b[i];
  if (IsLetter(a[i]) || IsLetter(b[i])) return IsLetter(b[i]);
  const int64_t start = (a[i] == '0' || b[i] == '0') && FollowsNumber(a, i) ? 1 : 0;
  const Number an = ReadNumber(a, i, start);
  const Number bn = ReadNumber(b, i, start);
  if (an.value != bn.value) return an.value < bn.value;
  if (an.end != bn.end) return an.end < bn.end;
  return a[i] < b[i];
}

}  // namespace berth::yaml
