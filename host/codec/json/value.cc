#include "codec/json/value.h"

#include <algorithm>

namespace berth::json {
namespace {

const std::string kEmptyString;
const Array kEmptyArray;
const Object kEmptyObject;

bool SameMembers(const Object& left, const Value& right) {
  const Object& members = right.object();
  if (left.size() != members.size()) return false;
  return std::all_of(left.begin(), left.end(), [&](const Member& member) {
    const Value* other = right.Find(member.first);
    return other && *other == member.second;
  });
}

template <class Members>
auto FindMember(Members& members, std::string_view key) {
  return std::find_if(members.begin(), members.end(), [&](const Member& member) { return member.first == key; });
}

}  // namespace

Value::Value(Array a) : data_(std::move(a)) {}
Value::Value(Object o) : data_(std::move(o)) {}

Value Value::MakeObject(std::initializer_list<Member> members) { return Value(Object(members)); }

Value Value::Whole(uint64_t n) {
  Value value;
  if (n <= INT64_MAX) {
    value.data_ = static_cast<int64_t>(n);
  } else {
    value.data_ = n;
  }
  return value;
}

Kind Value::kind() const {
  return std::holds_alternative<uint64_t>(data_) ? Kind::kNumber : static_cast<Kind>(data_.index());
}

bool Value::boolean() const {
  const bool* value = std::get_if<bool>(&data_);
  return value && *value;
}

int64_t Value::integer() const {
  const int64_t* value = std::get_if<int64_t>(&data_);
  return value ? *value : 0;
}

double Value::number() const {
  if (const double* value = std::get_if<double>(&data_)) return *value;
  if (const uint64_t beyond = beyond_int64()) return static_cast<double>(beyond);
  return static_cast<double>(integer());
}

uint64_t Value::beyond_int64() const {
  const uint64_t* value = std::get_if<uint64_t>(&data_);
  return value ? *value : 0;
}

const std::string& Value::string() const {
  const std::string* value = std::get_if<std::string>(&data_);
  return value ? *value : kEmptyString;
}

const Array& Value::array() const {
  const Array* value = std::get_if<Array>(&data_);
  return value ? *value : kEmptyArray;
}

const Object& Value::object() const {
  const Object* value = std::get_if<Object>(&data_);
  return value ? *value : kEmptyObject;
}

Array& Value::mutable_array() {
  if (!is_array()) data_ = Array();
  return std::get<Array>(data_);
}

Object& Value::mutable_object() {
  if (!is_object()) data_ = Object();
  return std::get<Object>(data_);
}

const Value* Value::Find(std::string_view key) const {
  const Object& members = object();
  const auto found = FindMember(members, key);
  return found == members.end() ? nullptr : &found->second;
}

Value* Value::Find(std::string_view key) { return const_cast<Value*>(std::as_const(*this).Find(key)); }

const Value* Value::FindPath(std::string_view dotted) const {
  const Value* value = this;
  while (value) {
    const size_t dot = dotted.find('.');
    value = value->Find(dotted.substr(0, dot));
    if (dot == std::string_view::npos) break;
    dotted.remove_prefix(dot + 1);
  }
  return value;
}

Value& Value::Set(std::string_view key, Value value) {
  Value& member = (*this)[key];
  member = std::move(value);
  return member;
}

Value& Value::operator[](std::string_view key) {
  Object& members = mutable_object();
  if (Value* member = Find(key)) return *member;
  return members.emplace_back(std::string(key), Value()).second;
}

bool Value::Erase(std::string_view key) {
  if (!is_object()) return false;
  Object& members = mutable_object();
  const auto found = FindMember(members, key);
  if (found == members.end()) return false;
  members.erase(found);
  return true;
}

void Value::Append(Value value) { mutable_array().push_back(std::move(value)); }

bool Value::operator==(const Value& other) const {
  if (kind() != other.kind()) return false;
  return is_object() ? SameMembers(object(), other) : data_ == other.data_;
}

std::string TextAt(const Value& object, std::string_view path) {
  const Value* found = object.FindPath(path);
  return found == nullptr ? "" : found->string();
}

}  // namespace berth::json
