#include "codec/text/percent.h"

namespace berth::text {
namespace {

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

void AppendEncoded(std::string& out, char c) {
  constexpr char kHex[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out += {'%', kHex[byte >> 4], kHex[byte & 15]};
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The byte that "%xx" at the front of text encodes; -1 when text does not start so.
int EncodedByte(std::string_view text) {
  if (text.size() < 3 || text[0] != '%' || HexValue(text[1]) < 0 || HexValue(text[2]) < 0) return -1;
  return HexValue(text[1]) * 16 + HexValue(text[2]);
}

// False: a '%' did not start an encoded byte; it is in out as it is.
bool Decode(std::string_view text, std::string& out) {
  bool good = true;
  for (size_t i = 0; i < text.size(); ++i) {
    const int byte = EncodedByte(text.substr(i));
    good = good && (byte >= 0 || text[i] != '%');
    out += byte >= 0 ? static_cast<char>(byte) : text[i];
    if (byte >= 0) i += 2;
  }
  return good;
}

}  // namespace

void AppendPercentEncoded(std::string& out, std::string_view text) {
  for (const char c : text) IsUnreserved(c) ? void(out += c) : AppendEncoded(out, c);
}

void AppendAllEncoded(std::string& out, std::string_view text) {
  for (const char c : text) AppendEncoded(out, c);
}

std::optional<std::string> PercentDecoded(std::string_view text) {
  std::string out;
  return Decode(text, out) ? std::optional(std::move(out)) : std::nullopt;
}

std::string PercentDecodedLeniently(std::string_view text) {
  std::string out;
  Decode(text, out);
  return out;
}

}  // namespace berth::text
