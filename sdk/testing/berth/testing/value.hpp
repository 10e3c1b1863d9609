// Documents for tests: args and objects, built without parsing (json.hpp parses).
//   FakeValue::Object({{"seed", 7}, {"resources", FakeValue::Array({"cpu", "memory"})}})
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/value.hpp"

namespace berth::sdk::testing {

class FakeValue {
 public:
  using Member = std::pair<std::string, FakeValue>;

  FakeValue() = default;                                       // null
  FakeValue(bool b) : kind_(BERTH_VALUE_BOOL), integer_(b) {}  // NOLINT: values convert
  template <std::integral N>
  requires(!std::same_as<N, bool>) FakeValue(N n)
      : kind_(BERTH_VALUE_INT), integer_(static_cast<int64_t>(n)) {}            // NOLINT
  FakeValue(double d) : kind_(BERTH_VALUE_NUMBER), number_(d) {}                // NOLINT
  FakeValue(const char* s) : kind_(BERTH_VALUE_STRING), text_(s) {}             // NOLINT
  FakeValue(std::string s) : kind_(BERTH_VALUE_STRING), text_(std::move(s)) {}  // NOLINT

  static FakeValue Object(std::vector<Member> members = {}) {
    FakeValue object;
    object.kind_ = BERTH_VALUE_OBJECT;
    for (auto& [key, value] : members) {
      object.keys_.push_back(key);
      object.items_.push_back(std::move(value));
    }
    return object;
  }
  static FakeValue Array(std::vector<FakeValue> items = {}) {
    FakeValue array;
    array.kind_ = BERTH_VALUE_ARRAY;
    array.items_ = std::move(items);
    return array;
  }

  // Inserts or replaces a member; what is no object becomes one. Answers the stored value.
  FakeValue& Set(std::string_view key, FakeValue value) { return Child(key) = std::move(value); }
  // The member, made null when absent.
  FakeValue& Child(std::string_view key) {
    if (kind_ != BERTH_VALUE_OBJECT) *this = Object();
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] == key) return items_[i];
    }
    keys_.emplace_back(key);
    return items_.emplace_back();
  }
  void Erase(std::string_view key) {
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] != key) continue;
      keys_.erase(keys_.begin() + static_cast<std::ptrdiff_t>(i));
      items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }
  // As RFC 7396 says.
  void MergePatch(const FakeValue& patch) {
    if (patch.kind_ != BERTH_VALUE_OBJECT) {
      *this = patch;
      return;
    }
    if (kind_ != BERTH_VALUE_OBJECT) *this = Object();
    for (size_t i = 0; i < patch.keys_.size(); ++i) {
      if (patch.items_[i].kind_ == BERTH_VALUE_NULL) {
        Erase(patch.keys_[i]);
      } else {
        Child(patch.keys_[i]).MergePatch(patch.items_[i]);
      }
    }
  }
  // The document behind a view of one.
  static const FakeValue& Of(const berth_value* v) {
    static const FakeValue null;
    return v == nullptr ? null : *reinterpret_cast<const FakeValue*>(v);
  }

  const berth_value* raw() const { return reinterpret_cast<const berth_value*>(this); }
  Value view() const { return {Table(), raw()}; }

  // The service table that walks these.
  static const berth_values* Table() {
    static constexpr berth_values kTable{
        sizeof(berth_values), 0, &Kind, &Integer, &Number, &String, &Count, &At, &Key, &Get};
    return &kTable;
  }

 private:
  static int32_t Kind(const berth_value* v) { return Of(v).kind_; }
  static int64_t Integer(const berth_value* v) { return Of(v).integer_; }
  static double Number(const berth_value* v) {
    return Of(v).kind_ == BERTH_VALUE_INT ? static_cast<double>(Of(v).integer_) : Of(v).number_;
  }
  static berth_str String(const berth_value* v) { return Borrow(Of(v).text_); }
  static uint32_t Count(const berth_value* v) { return static_cast<uint32_t>(Of(v).items_.size()); }
  static const berth_value* At(const berth_value* v, uint32_t i) {
    return i < Of(v).items_.size() ? Of(v).items_[i].raw() : nullptr;
  }
  static berth_str Key(const berth_value* v, uint32_t i) {
    return i < Of(v).keys_.size() ? Borrow(Of(v).keys_[i]) : Borrow("");
  }
  static const berth_value* Get(const berth_value* v, berth_str key) {
    const FakeValue& self = Of(v);
    for (size_t i = 0; i < self.keys_.size(); ++i) {
      if (self.keys_[i] == View(key)) return self.items_[i].raw();
    }
    return nullptr;
  }

  int32_t kind_ = BERTH_VALUE_NULL;
  int64_t integer_ = 0;
  double number_ = 0;
  std::string text_;
  std::vector<std::string> keys_;
  std::vector<FakeValue> items_;
};

}  // namespace berth::sdk::testing
