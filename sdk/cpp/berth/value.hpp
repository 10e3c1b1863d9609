// Typed access to a parsed document (plugin args, objects in events). [any]; borrowed as the document is.
#pragma once

#include "berth/host.h"
#include "berth/text.hpp"

namespace berth::sdk {

class Value {
 public:
  Value() = default;  // absent
  Value(const berth_values* table, const berth_value* raw) : table_(table), raw_(raw) {}

  // False if there is no such value; true for an explicit JSON null.
  explicit operator bool() const { return raw_ != nullptr; }
  const berth_value* raw() const { return raw_; }

  int32_t kind() const { return raw_ == nullptr ? BERTH_VALUE_NULL : table_->kind(raw_); }
  bool is_null() const { return kind() == BERTH_VALUE_NULL; }
  bool is_bool() const { return kind() == BERTH_VALUE_BOOL; }
  bool is_int() const { return kind() == BERTH_VALUE_INT; }
  bool is_number() const { return kind() == BERTH_VALUE_INT || kind() == BERTH_VALUE_NUMBER; }
  bool is_string() const { return kind() == BERTH_VALUE_STRING; }
  bool is_array() const { return kind() == BERTH_VALUE_ARRAY; }
  bool is_object() const { return kind() == BERTH_VALUE_OBJECT; }

  // The value if it has that kind, else false, 0 or "".
  bool AsBool() const { return is_bool() && table_->integer(raw_) != 0; }
  int64_t AsInt() const { return raw_ == nullptr ? 0 : table_->integer(raw_); }
  double AsNumber() const { return raw_ == nullptr ? 0 : table_->number(raw_); }
  std::string_view AsString() const { return raw_ == nullptr ? "" : View(table_->string(raw_)); }

  // Elements of an array, members of an object in the document's order.
  uint32_t size() const { return raw_ == nullptr ? 0 : table_->count(raw_); }
  Value operator[](uint32_t i) const { return raw_ == nullptr ? Value() : Value(table_, table_->at(raw_, i)); }
  std::string_view KeyAt(uint32_t i) const { return raw_ == nullptr ? "" : View(table_->key(raw_, i)); }
  // Member of an object; absent when there is none.
  Value Get(std::string_view key) const {
    return raw_ == nullptr ? Value() : Value(table_, table_->get(raw_, Borrow(key)));
  }

 private:
  const berth_values* table_ = nullptr;
  const berth_value* raw_ = nullptr;
};

}  // namespace berth::sdk
