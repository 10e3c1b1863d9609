#include "codec/text/base64.h"

namespace berth::text {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

base::Result<std::string> DecodeBase64(std::string_view text) {
  std::string bytes;
  unsigned quantum = 0;  // up to four symbols of six bits
  int symbols = 0;
  int padding = 0;
  const auto illegal = [](size_t at) { return base::Fail("illegal base64 data at input byte " + std::to_string(at)); };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\r' || c == '\n') continue;
    const size_t value = kAlphabet.find(c);
    const bool pad = c == '=' && symbols + padding >= 2 && symbols + padding < 4;
    if ((value == std::string_view::npos && !pad) || (padding > 0 && !pad)) return illegal(i);
    pad ? ++padding : ++symbols;
    quantum = quantum << 6 | (pad ? 0 : static_cast<unsigned>(value));
    if (symbols + padding < 4) continue;
    for (int byte = 0; byte < symbols - 1; ++byte) bytes += static_cast<char>(quantum >> (16 - 8 * byte));
    if (padding > 0) {
      const size_t rest = text.find_first_not_of("\r\n", i + 1);
      return rest == std::string_view::npos ? base::Result<std::string>(bytes) : illegal(rest);
    }
    symbols = 0;
    quantum = 0;
  }
  if (symbols + padding > 0) return illegal(text.size());
  return bytes;
}

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](size_t at) { return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0u; };
    const unsigned quantum = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    const size_t have = bytes.size() - i;
    text += kAlphabet[quantum >> 18];
    text += kAlphabet[quantum >> 12 & 63];
    text += have > 1 ? kAlphabet[quantum >> 6 & 63] : '=';
    text += have > 2 ? kAlphabet[quantum & 63] : '=';
  }
  return text;
}

}  // namespace berth::text
