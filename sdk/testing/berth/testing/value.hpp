// Documents for tests: args and objects, built without parsing (json.hpp has the parser).
//   FakeValue::Object({{"seed", 7}, {"resources", FakeValue::Array({"cpu", "memory"})}})
#pragma once

#include <concepts>
#include <cstdint>
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

  FakeValue();        // null
  FakeValue(bool b);  // NOLINT: values convert
  template <std::integral N>
  requires(!std::same_as<N, bool>) FakeValue(N n) : FakeValue(Wide(static_cast<int64_t>(n))) {}  // NOLINT
  FakeValue(double d);                                                                           // NOLINT
  FakeValue(const char* s);                                                                      // NOLINT
  FakeValue(std::string s);                                                                      // NOLINT
  FakeValue(const FakeValue&);
  FakeValue(FakeValue&&) noexcept;
  FakeValue& operator=(const FakeValue&);
  FakeValue& operator=(FakeValue&&) noexcept;
  ~FakeValue();

  static FakeValue Object(std::vector<Member> members = {});
  static FakeValue Array(std::vector<FakeValue> items = {});

  // Inserts or replaces a member; a value of another kind becomes an object first. Returns the stored value.
  FakeValue& Set(std::string_view key, FakeValue value);
  // The member; if it is absent, adds it as null.
  FakeValue& Child(std::string_view key);
  void Erase(std::string_view key);
  // Applies a merge patch (RFC 7396).
  void MergePatch(const FakeValue& patch);
  // Copies the document behind a view.
  static FakeValue CopyOf(const berth_value* v);
  // Makes a copy of the current value for a plugin to read.
  const berth_value* Show(Arena& arena) const;

  const berth_value* raw() const;
  Value view() const;

  // The service table that reads these values.
  static const berth_values* Table();

 private:
  struct Wide {
    explicit Wide(int64_t value);
    int64_t n;
  };
  explicit FakeValue(Wide integer);

  // The copy that Show() makes. It begins with its kind, as a FakeValue does; the kind is outside of the ABI's range.
  static constexpr int32_t kShown = 64;
  struct ShownValue {
    int32_t kind;  // kShown plus the kind
    uint32_t n;
    int64_t integer;
    double number;
    berth_str text;
    const berth_str* keys;  // of an object
    const ShownValue* items;
  };
  ShownValue Shown(Arena& arena) const;

  // The common form of both kinds of views.
  struct Look {
    int32_t kind = BERTH_VALUE_NULL;
    uint32_t n = 0;
    int64_t integer = 0;
    double number = 0;
    berth_str text{"", 0};
    const FakeValue* own = nullptr;
    const ShownValue* shown = nullptr;
  };
  static Look LookAt(const berth_value* v);
  static int32_t Kind(const berth_value* v);
  static int64_t Integer(const berth_value* v);
  static double Number(const berth_value* v);
  static berth_str String(const berth_value* v);
  static uint32_t Count(const berth_value* v);
  static const berth_value* At(const berth_value* v, uint32_t i);
  static berth_str Key(const berth_value* v, uint32_t i);
  static const berth_value* Get(const berth_value* v, berth_str key);

  int32_t kind_ = BERTH_VALUE_NULL;  // the first member: see LookAt
  int64_t integer_ = 0;
  double number_ = 0;
  std::string text_;
  std::vector<std::string> keys_;
  std::vector<FakeValue> items_;
};

}  // namespace berth::sdk::testing
