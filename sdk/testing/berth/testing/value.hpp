// Documents for tests: args and objects, built without parsing (json.hpp parses).
//   FakeValue::Object({{"seed", 7}, {"resources", FakeValue::Array({"cpu", "memory"})}})
#pragma once

#include <concepts>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/testing/arena.hpp"
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

  // Inserts or replaces a member; a value of another kind becomes an object. Returns the stored value.
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
  static FakeValue CopyOf(const berth_value* v) {
    const Look look = LookAt(v);
    FakeValue copy;
    copy.kind_ = look.kind, copy.integer_ = look.integer, copy.number_ = look.number;
    copy.text_ = View(look.text);
    for (uint32_t i = 0; i < look.n; ++i) {
      if (look.kind == BERTH_VALUE_OBJECT) copy.keys_.emplace_back(View(Key(v, i)));
      copy.items_.push_back(CopyOf(At(v, i)));
    }
    return copy;
  }
  // A copy for a plugin to read, as it is now.
  const berth_value* Show(Arena& arena) const { return reinterpret_cast<const berth_value*>(arena.Make(Shown(arena))); }

  const berth_value* raw() const { return reinterpret_cast<const berth_value*>(this); }
  Value view() const { return {Table(), raw()}; }

  // The service table that walks these.
  static const berth_values* Table() {
    static constexpr berth_values kTable{
        sizeof(berth_values), 0, &Kind, &Integer, &Number, &String, &Count, &At, &Key, &Get};
    return &kTable;
  }

 private:
  // A value as Show() leaves it. Like a FakeValue it begins with its kind, which is out of the ABI's range.
  static constexpr int32_t kShown = 64;
  struct ShownValue {
    int32_t kind;  // kShown and more
    uint32_t n;
    int64_t integer;
    double number;
    berth_str text;
    const berth_str* keys;  // of an object
    const ShownValue* items;
  };
  ShownValue Shown(Arena& arena) const {
    std::vector<ShownValue> items;
    std::vector<berth_str> keys;
    for (const FakeValue& item : items_) items.push_back(item.Shown(arena));
    for (const std::string& key : keys_) keys.push_back(arena.Text(key));
    return {kShown + kind_,
            static_cast<uint32_t>(items.size()),
            integer_,
            number_,
            arena.Text(text_),
            static_cast<const berth_str*>(arena.Exact(keys).ptr),
            static_cast<const ShownValue*>(arena.Exact(items).ptr)};
  }

  // What both kinds of views say of themselves.
  struct Look {
    int32_t kind = BERTH_VALUE_NULL;
    uint32_t n = 0;
    int64_t integer = 0;
    double number = 0;
    berth_str text{"", 0};
    const FakeValue* own = nullptr;
    const ShownValue* shown = nullptr;
  };
  static Look LookAt(const berth_value* v) {
    if (v == nullptr) return {};
    int32_t kind = 0;
    std::memcpy(&kind, v, sizeof kind);
    if (kind >= kShown) {
      const auto* shown = reinterpret_cast<const ShownValue*>(v);
      return {kind - kShown, shown->n, shown->integer, shown->number, shown->text, nullptr, shown};
    }
    const auto* own = reinterpret_cast<const FakeValue*>(v);
    const auto n = static_cast<uint32_t>(own->items_.size());
    return {kind, n, own->integer_, own->number_, Borrow(own->text_), own, nullptr};
  }
  static int32_t Kind(const berth_value* v) { return LookAt(v).kind; }
  static int64_t Integer(const berth_value* v) { return LookAt(v).integer; }
  static double Number(const berth_value* v) {
    const Look look = LookAt(v);
    return look.kind == BERTH_VALUE_INT ? static_cast<double>(look.integer) : look.number;
  }
  static berth_str String(const berth_value* v) { return LookAt(v).text; }
  static uint32_t Count(const berth_value* v) { return LookAt(v).n; }
  static const berth_value* At(const berth_value* v, uint32_t i) {
    const Look look = LookAt(v);
    if (i >= look.n) return nullptr;
    return look.own != nullptr ? look.own->items_[i].raw()
                               : reinterpret_cast<const berth_value*>(look.shown->items + i);
  }
  static berth_str Key(const berth_value* v, uint32_t i) {
    const Look look = LookAt(v);
    if (look.kind != BERTH_VALUE_OBJECT || i >= look.n) return Borrow("");
    return look.own != nullptr ? Borrow(look.own->keys_[i]) : look.shown->keys[i];
  }
  static const berth_value* Get(const berth_value* v, berth_str key) {
    const Look look = LookAt(v);
    if (look.kind != BERTH_VALUE_OBJECT) return nullptr;
    for (uint32_t i = 0; i < look.n; ++i) {
      if (View(Key(v, i)) == View(key)) return At(v, i);
    }
    return nullptr;
  }

  int32_t kind_ = BERTH_VALUE_NULL;  // first: see LookAt
  int64_t integer_ = 0;
  double number_ = 0;
  std::string text_;
  std::vector<std::string> keys_;
  std::vector<FakeValue> items_;
};

}  // namespace berth::sdk::testing
