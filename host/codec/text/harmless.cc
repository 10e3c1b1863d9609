#include "codec/text/harmless.h"

#include "base/text.h"

namespace berth::text {
namespace {

std::string Replaced(std::string text, bool keep_lines) {
  unsigned char before = 0;
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool second_half = before == 0xc2 && byte >= 0x80 && byte < 0xa0;  // of U+0080 to U+009F in UTF-8
    before = byte;
    if (keep_lines && c == '\n') continue;
    if (base::IsControl(c)) c = '?';
    if (second_half) {
      c = '?';
      (&c)[-1] = '?';
    }
  }
  return text;
}

}  // namespace

std::string Harmless(std::string text) { return Replaced(std::move(text), false); }
std::string HarmlessLines(std::string text) { return Replaced(std::move(text), true); }

}  // namespace berth::text
