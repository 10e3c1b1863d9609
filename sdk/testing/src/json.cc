#include "berth/testing/json.hpp"

#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace berth::sdk::testing {
namespace {

class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}
  FakeValue Document() {
    FakeValue value = Value();
    Space();
    if (at_ != text_.size()) Fail("text after the document");
    return value;
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw std::invalid_argument("JSON at byte " + std::to_string(at_) + ": " + what);
  }
  void Space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool Take(char c) {
    Space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    return ++at_, true;
  }
  void Need(char c) {
    if (!Take(c)) Fail(std::string("expected ") + c);
  }
  bool Word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    return at_ += word.size(), true;
  }

  FakeValue Value() {
    Space();
    if (at_ == text_.size()) Fail("expected a value");
    if (text_[at_] == '{') return Object();
    if (text_[at_] == '[') return Array();
    if (text_[at_] == '"') return FakeValue(String());
    if (Word("null")) return {};
    if (Word("true")) return FakeValue(true);
    if (Word("false")) return FakeValue(false);
    return Number();
  }
  FakeValue Object() {
    FakeValue object = FakeValue::Object();
    Need('{');
    if (Take('}')) return object;
    do {
      Space();
      const std::string key = String();
      Need(':');
      object.Set(key, Value());
    } while (Take(','));
    Need('}');
    return object;
  }
  FakeValue Array() {
    std::vector<FakeValue> items;
    Need('[');
    if (Take(']')) return FakeValue::Array();
    do {
      items.push_back(Value());
    } while (Take(','));
    Need(']');
    return FakeValue::Array(std::move(items));
  }
  std::string String() {
    Need('"');
    std::string out;
    while (at_ < text_.size() && text_[at_] != '"') Character(out);
    Need('"');
    return out;
  }
  void Character(std::string& out) {
    const char c = text_[at_++];
    if (c != '\\') return out.push_back(c);
    if (at_ == text_.size()) Fail("a \\ ends the document");
    switch (const char escaped = text_[at_++]) {
      case 'n': return out.push_back('\n');
      case 't': return out.push_back('\t');
      case 'r': return out.push_back('\r');
      case 'b': return out.push_back('\b');
      case 'f': return out.push_back('\f');
      case 'u': return CodePoint(out);
      default: return out.push_back(escaped);
    }
  }
  // Converts the four digits after \u to UTF-8.
  void CodePoint(std::string& out) {
    const std::string_view digits = text_.substr(at_, 4);
    uint32_t code = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (error != std::errc() || end != digits.data() + 4) Fail("expected four hexadecimal digits after \\u");
    if (code >= 0xd800 && code < 0xe000) Fail("a surrogate is not understood: write the character");
    at_ += 4;
    if (code < 0x80) return out.push_back(static_cast<char>(code));
    if (code >= 0x800) {
      out.push_back(static_cast<char>(0xe0 | code >> 12));
      out.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3f)));
    } else {
      out.push_back(static_cast<char>(0xc0 | code >> 6));
    }
    out.push_back(static_cast<char>(0x80 | (code & 0x3f)));
  }
  FakeValue Number() {
    const char* begin = text_.data() + at_;
    const char* const limit = text_.data() + text_.size();
    int64_t whole = 0;
    const auto [whole_end, whole_error] = std::from_chars(begin, limit, whole);
    double number = 0;
    const auto [end, error] = std::from_chars(begin, limit, number);
    if (error != std::errc()) Fail("expected a value");
    at_ += static_cast<size_t>(end - begin);
    if (whole_error == std::errc() && whole_end == end) return FakeValue(whole);
    return FakeValue(number);
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

FakeValue ParseJson(std::string_view text) { return JsonParser(text).Document(); }

}  // namespace berth::sdk::testing
