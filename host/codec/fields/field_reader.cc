#include "codec/fields/field_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "codec/text/base64.h"
#include "codec/text/duration.h"

namespace berth::fields {
namespace {

using json::Value;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// The edit distance of two names; a difference of letter case costs nothing.
size_t Distance(std::string_view from, std::string_view to) {
  std::vector<size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < from.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < to.size(); ++j) {
      const size_t changed = diagonal + (Lower(from[i]) == Lower(to[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// Whether a name looks like a field name: a secret is longer, or contains other characters than letters.
bool LooksLikeAField(std::string_view name) {
  constexpr size_t kLongest = 24;
  const auto is_letter = [](char c) { return Lower(c) >= 'a' && Lower(c) <= 'z'; };
  return name.size() <= kLongest && std::all_of(name.begin(), name.end(), is_letter);
}

}  // namespace

const Value& FieldOf(const Value& object, std::string_view name) {
  static const Value kNone;
  const Value* value = object.Find(name);
  return value ? *value : kNone;
}

const char* KindName(const Value& value) {
  switch (value.kind()) {
    case json::Kind::kNull: return "null";
    case json::Kind::kBool: return "bool";
    case json::Kind::kInt:
    case json::Kind::kNumber: return "number";
    case json::Kind::kString: return "string";
    case json::Kind::kArray: return "list";
    case json::Kind::kObject: return "object";
  }
  return "";
}

std::string WrongType(const Value& value, std::string_view expected, Quoting quoting) {
  std::string detail = "expected " + std::string(expected) + ", got " + KindName(value);
  if (quoting == Quoting::kTypes) return detail;
  const bool quotes = quoting == Quoting::kValues && !value.is_array() && !value.is_object();
  return quotes ? Invalid(value, detail) : InvalidUnquoted(detail);
}

std::string UnknownField(std::string_view name, const std::vector<std::string_view>& known) {
  std::string text = "unknown field \"" + std::string(name) + "\"";
  const size_t near = name.size() <= 3 ? 2 : name.size() <= 8 ? 3 : 4;  // a name at this distance is not similar
  const std::string_view* best = nullptr;
  size_t best_distance = near;
  for (const std::string_view& candidate : known) {
    const size_t distance = name.size() > 100 ? near : Distance(name, candidate);
    if (distance >= best_distance) continue;
    best = &candidate;
    best_distance = distance;
  }
  return best ? text + " (did you mean \"" + std::string(*best) + "\"?)" : text;
}

FieldReader::FieldReader(const Value& object, std::string path, Issues& issues, Quoting quoting)
    : object_(object), path_(std::move(path)), issues_(issues), quoting_(quoting) {
  if (object.is_null() || object.is_object()) return;
  issues_.AddAt(object.mark(), path_, WrongType(object, "an object", quoting));
}

const Value* FieldReader::Any(std::string_view name) {
  known_.push_back(name);
  const Value* value = object_.Find(name);
  return value && !value->is_null() ? value : nullptr;
}

bool FieldReader::Mismatch(std::string_view name, const Value& value, const char* expected) {
  issues_.AddAt(value.mark(), PathOf(name), WrongType(value, expected, quoting_));
  return false;
}

std::string FieldReader::WrongValue(const Value& value, std::string_view detail) const {
  if (quoting_ == Quoting::kTypes) return std::string(detail);
  return quoting_ == Quoting::kValues ? Invalid(value, detail) : InvalidUnquoted(detail);
}

const char* FieldReader::NameOf(const char* type, const char* with_article) const {
  return quoting_ == Quoting::kTypes ? with_article : type;
}

bool FieldReader::Bool(std::string_view name, bool& out) {
  const Value* value = Any(name);
  if (!value) return false;
  if (!value->is_bool()) return Mismatch(name, *value, NameOf("bool", "a bool"));
  out = value->boolean();
  return true;
}

bool FieldReader::String(std::string_view name, std::string& out) {
  const Value* value = Any(name);
  if (!value) return false;
  if (!value->is_string()) return Mismatch(name, *value, NameOf("string", "a string"));
  out = value->string();
  return true;
}

bool FieldReader::WholeNumber(std::string_view name, int64_t smallest, int64_t largest, const char* type,
                              int64_t& out) {
  const Value* value = Any(name);
  if (!value) return false;
  if (!value->is_number()) return Mismatch(name, *value, type);
  if (!value->is_int() || value->integer() < smallest || value->integer() > largest) {
    const bool fraction = value->number() != std::trunc(value->number());
    const char* why = fraction ? "a number with a fraction" : "a number out of range";
    issues_.AddAt(value->mark(), PathOf(name), WrongValue(*value, std::string("expected ") + type + ", got " + why));
    return false;
  }
  out = value->integer();
  return true;
}

bool FieldReader::Int32(std::string_view name, int32_t& out) {
  using Limits = std::numeric_limits<int32_t>;
  int64_t value = 0;
  if (!WholeNumber(name, Limits::min(), Limits::max(), "int32", value)) return false;
  out = static_cast<int32_t>(value);
  return true;
}

bool FieldReader::Int64(std::string_view name, int64_t& out) {
  using Limits = std::numeric_limits<int64_t>;
  return WholeNumber(name, Limits::min(), Limits::max(), "int64", out);
}

bool FieldReader::Float32(std::string_view name, float& out) {
  const Value* value = Any(name);
  if (!value) return false;
  if (!value->is_number()) return Mismatch(name, *value, "float32");
  if (std::fabs(value->number()) > std::numeric_limits<float>::max()) {
    issues_.AddAt(value->mark(), PathOf(name), WrongValue(*value, "expected float32, got a number out of range"));
    return false;
  }
  out = static_cast<float>(value->number());
  return true;
}

bool FieldReader::Duration(std::string_view name, std::chrono::nanoseconds& out) {
  known_.push_back(name);
  const Value* value = object_.Find(name);
  if (!value) return false;
  if (!value->is_string() && !value->is_null()) return Mismatch(name, *value, "a duration such as \"15s\"");
  const auto duration = text::ParseDuration(value->is_null() ? "" : value->string());
  if (!duration) {
    issues_.AddAt(value->mark(), PathOf(name), WrongValue(*value, duration.error().message));
    return false;
  }
  out = *duration;
  return true;
}

bool FieldReader::Base64(std::string_view name, std::string& out) {
  std::string text;
  if (!String(name, text)) return false;
  const auto bytes = text::DecodeBase64(text);
  if (!bytes) {
    issues_.Add(PathOf(name), WrongValue(*object_.Find(name), bytes.error().message));
    return false;
  }
  out = *bytes;
  return true;
}

bool FieldReader::SecretBase64(std::string_view name, base::Secret& out) {
  const Value* value = object_.Find(name);
  if (value && value->string() == base::kRedacted) {
    known_.push_back(name);
    issues_.AddAt(value->mark(), PathOf(name),
                  Invalid(*value,
                          "a secret was left out here when the configuration was printed; give the secret itself, or "
                          "print with berthctl config print --show-secrets"));
    return false;
  }
  std::string bytes;
  if (!Base64(name, bytes)) return false;
  out = std::move(bytes);
  return true;
}

bool FieldReader::Strings(std::string_view name, std::vector<std::string>& out) {
  const Value* list = List(name);
  if (!list) return false;
  std::vector<std::string> texts;
  bool good = true;
  for (const Value& element : list->array()) {
    if (!element.is_string() && !element.is_null()) {
      const std::string reason = WrongType(element, NameOf("string", "a string"), quoting_);
      issues_.AddAt(element.mark(), Index(PathOf(name), texts.size()), reason);
      good = false;
    }
    texts.push_back(element.string());
  }
  if (good) out = std::move(texts);
  return good;
}

const Value* FieldReader::Object(std::string_view name, Quoting quoting) {
  const Value* value = Any(name);
  if (!value || value->is_object()) return value;
  issues_.AddAt(value->mark(), PathOf(name), WrongType(*value, "an object", std::max(quoting, quoting_)));
  return nullptr;
}

const Value* FieldReader::List(std::string_view name) {
  const Value* value = Any(name);
  if (!value || value->is_array()) return value;
  Mismatch(name, *value, "a list");
  return nullptr;
}

void FieldReader::Ignore(std::initializer_list<std::string_view> names) {
  known_.insert(known_.end(), names.begin(), names.end());
}

std::vector<const json::Member*> FieldReader::Unknown() const {
  std::vector<const json::Member*> unknown;
  for (const json::Member& member : object_.object()) {
    if (std::find(known_.begin(), known_.end(), member.first) == known_.end()) unknown.push_back(&member);
  }
  return unknown;
}

void FieldReader::Done() {
  for (const json::Member* member : Unknown()) AddUnknown(*member);
}

void FieldReader::AddUnknown(const json::Member& member) {
  const json::Mark mark = member.second.key_mark();
  if (quoting_ == Quoting::kValues || LooksLikeAField(member.first)) {
    return issues_.AddAt(mark, PathOf(member.first), UnknownField(member.first, known_));
  }
  issues_.AddAt(mark, path_, "unknown field, which is not shown because a slip can make a field's name of a secret");
}

}  // namespace berth::fields
