#include "berth/testing/value.hpp"

#include <cstddef>
#include <cstring>

namespace berth::sdk::testing {

FakeValue::FakeValue() : kind_(BERTH_VALUE_NULL) {}

FakeValue::FakeValue(bool b) : kind_(BERTH_VALUE_BOOL), integer_(b) {}

FakeValue::FakeValue(double d) : kind_(BERTH_VALUE_NUMBER), number_(d) {}

FakeValue::FakeValue(const char* s) : kind_(BERTH_VALUE_STRING), text_(s) {}

FakeValue::FakeValue(std::string s) : kind_(BERTH_VALUE_STRING), text_(std::move(s)) {}

FakeValue::FakeValue(const FakeValue&) = default;

FakeValue::FakeValue(FakeValue&&) noexcept = default;

FakeValue& FakeValue::operator=(const FakeValue&) = default;

FakeValue& FakeValue::operator=(FakeValue&&) noexcept = default;

FakeValue::~FakeValue() = default;

FakeValue FakeValue::Object(std::vector<Member> members) {
  FakeValue object;
  object.kind_ = BERTH_VALUE_OBJECT;
  for (auto& [key, value] : members) {
    object.keys_.push_back(key);
    object.items_.push_back(std::move(value));
  }
  return object;
}

FakeValue FakeValue::Array(std::vector<FakeValue> items) {
  FakeValue array;
  array.kind_ = BERTH_VALUE_ARRAY;
  array.items_ = std::move(items);
  return array;
}

FakeValue& FakeValue::Set(std::string_view key, FakeValue value) { return Child(key) = std::move(value); }

FakeValue& FakeValue::Child(std::string_view key) {
  if (kind_ != BERTH_VALUE_OBJECT) *this = Object();
  for (size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i] == key) return items_[i];
  }
  keys_.emplace_back(key);
  return items_.emplace_back();
}

void FakeValue::Erase(std::string_view key) {
  for (size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i] != key) continue;
    keys_.erase(keys_.begin() + static_cast<std::ptrdiff_t>(i));
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

void FakeValue::MergePatch(const FakeValue& patch) {
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

FakeValue FakeValue::CopyOf(const berth_value* v) {
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

const berth_value* FakeValue::Show(Arena& arena) const {
  return reinterpret_cast<const berth_value*>(arena.Make(Shown(arena)));
}

const berth_value* FakeValue::raw() const { return reinterpret_cast<const berth_value*>(this); }

Value FakeValue::view() const { return {Table(), raw()}; }

const berth_values* FakeValue::Table() {
  static constexpr berth_values kTable{
      sizeof(berth_values), 0, &Kind, &Integer, &Number, &String, &Count, &At, &Key, &Get};
  return &kTable;
}

FakeValue::Wide::Wide(int64_t value) : n(value) {}

FakeValue::FakeValue(Wide integer) : kind_(BERTH_VALUE_INT), integer_(integer.n) {}

FakeValue::ShownValue FakeValue::Shown(Arena& arena) const {
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

FakeValue::Look FakeValue::LookAt(const berth_value* v) {
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

int32_t FakeValue::Kind(const berth_value* v) { return LookAt(v).kind; }

int64_t FakeValue::Integer(const berth_value* v) { return LookAt(v).integer; }

double FakeValue::Number(const berth_value* v) {
  const Look look = LookAt(v);
  return look.kind == BERTH_VALUE_INT ? static_cast<double>(look.integer) : look.number;
}

berth_str FakeValue::String(const berth_value* v) { return LookAt(v).text; }

uint32_t FakeValue::Count(const berth_value* v) { return LookAt(v).n; }

const berth_value* FakeValue::At(const berth_value* v, uint32_t i) {
  const Look look = LookAt(v);
  if (i >= look.n) return nullptr;
  return look.own != nullptr ? look.own->items_[i].raw() : reinterpret_cast<const berth_value*>(look.shown->items + i);
}

berth_str FakeValue::Key(const berth_value* v, uint32_t i) {
  const Look look = LookAt(v);
  if (look.kind != BERTH_VALUE_OBJECT || i >= look.n) return Borrow("");
  return look.own != nullptr ? Borrow(look.own->keys_[i]) : look.shown->keys[i];
}

const berth_value* FakeValue::Get(const berth_value* v, berth_str key) {
  const Look look = LookAt(v);
  if (look.kind != BERTH_VALUE_OBJECT) return nullptr;
  for (uint32_t i = 0; i < look.n; ++i) {
    if (View(Key(v, i)) == View(key)) return At(v, i);
  }
  return nullptr;
}

}  // namespace berth::sdk::testing
