// Writes completed args as JSON. The layer opens and closes the outermost object; a plugin writes its fields.
//   out.Field("seed", seed);
//   out.BeginArray("resources"); out.BeginObject(); out.Field("name", name); out.EndObject(); out.EndArray();
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "berth/value.hpp"

namespace berth::sdk {

class JsonWriter {
 public:
  // An object field. std::optional without a value writes nothing; a Value is written unchanged.
  template <class T>
  void Field(std::string_view key, const T& value) {
    Key(key);
    Put(value);
  }
  template <class T>
  void Field(std::string_view key, const std::optional<T>& value) {
    if (value) Field(key, *value);
  }
  // An array element.
  template <class T>
  void Item(const T& value) {
    Comma();
    Put(value);
  }

  void BeginObject() { Comma(), Open('{'); }                       // as an array element, or outermost
  void BeginObject(std::string_view key) { Key(key), Open('{'); }  // as a field
  void EndObject() { Close('}'); }
  void BeginArray(std::string_view key) { Key(key), Open('['); }
  void EndArray() { Close(']'); }

  const std::string& text() const { return text_; }

 private:
  void Open(char bracket) { text_ += bracket, first_ = true; }
  void Close(char bracket) { text_ += bracket, first_ = false; }
  void Comma() {
    if (!first_) text_ += ',';
    first_ = false;
  }
  void Key(std::string_view key) {
    Comma();
    Quote(key);
    text_ += ':';
  }

  template <std::integral N>
  void Put(N n) {
    if constexpr (std::same_as<N, bool>) {
      text_ += n ? "true" : "false";
    } else {
      Digits(n);
    }
  }
  void Put(double n) {
    if (!std::isfinite(n)) throw std::invalid_argument("a number in JSON must be finite");
    Digits(n);
  }
  void Put(std::string_view text) { Quote(text); }
  void Put(const std::string& text) { Quote(text); }
  void Put(const char* text) { Quote(text); }
  template <class T>
  void Put(const std::vector<T>& items) {
    Open('[');
    for (const auto& item : items) Item(item);
    Close(']');
  }
  void Put(const Value& value) {
    switch (value.kind()) {
      case BERTH_VALUE_BOOL: return Put(value.AsBool());
      case BERTH_VALUE_INT: return Put(value.AsInt());
      case BERTH_VALUE_NUMBER: return Put(value.AsNumber());
      case BERTH_VALUE_STRING: return Put(value.AsString());
      case BERTH_VALUE_ARRAY:
        Open('[');
        for (uint32_t i = 0; i < value.size(); ++i) Item(value[i]);
        return Close(']');
      case BERTH_VALUE_OBJECT:
        Open('{');
        for (uint32_t i = 0; i < value.size(); ++i) Field(value.KeyAt(i), value[i]);
        return Close('}');
      default: text_ += "null";
    }
  }

  template <class N>
  void Digits(N n) {
    char digits[32];
    text_.append(digits, std::to_chars(digits, digits + sizeof(digits), n).ptr);
  }
  void Quote(std::string_view text) {
    text_ += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        constexpr char kHex[] = "0123456789abcdef";
        text_ += "\\u00";
        text_ += kHex[c >> 4];
        text_ += kHex[c & 15];
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  std::string text_;
  bool first_ = true;  // nothing written yet at this level
};

}  // namespace berth::sdk
