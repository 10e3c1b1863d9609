// Reads the fields of one JSON object. Wrong types and values out of range become issues, each with its field path and
// position; so do unknown fields, if the caller calls Done. null counts as absent, except in Duration.
// Thread: one reader, one thread. Ownership: the reader owns nothing; the object, the issues and the names outlive it.
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.h"
#include "codec/fields/issue.h"
#include "codec/json/value.h"

namespace berth::fields {

// What issues quote of an object. kNothing: no values, and no unknown field names that may be values. kTypes: as
// kNothing, and the reason is only the detail, as in "expected a string, got number".
enum class Quoting : uint8_t { kValues, kNothing, kTypes };

class FieldReader {
 public:
  // object may be null: no field is set. A value of another type is an issue, and no field is found then.
  FieldReader(const json::Value& object, std::string path, Issues& issues, Quoting quoting = Quoting::kValues);

  // Each returns false and does not change out when the field is absent or wrong.
  bool Bool(std::string_view name, bool& out);
  bool Int32(std::string_view name, int32_t& out);
  bool Int64(std::string_view name, int64_t& out);
  bool Float32(std::string_view name, float& out);
  bool String(std::string_view name, std::string& out);
  // Go syntax. null is wrong: it is the text "" for a metav1.Duration (apimachinery, duration.go, UnmarshalJSON).
  bool Duration(std::string_view name, std::chrono::nanoseconds& out);
  bool Base64(std::string_view name, std::string& out);                // out holds the bytes
  bool SecretBase64(std::string_view name, base::Secret& out);         // rejects the printed placeholder of a secret
  bool Strings(std::string_view name, std::vector<std::string>& out);  // null elements become ""

  // The field when it is an object or a list, else nullptr.
  const json::Value* Object(std::string_view name, Quoting quoting = Quoting::kValues);
  const json::Value* List(std::string_view name);
  // The field of any type; nullptr when absent or null.
  const json::Value* Any(std::string_view name);
  // Fields that are known and not read.
  void Ignore(std::initializer_list<std::string_view> names);

  // The members that no call above named, in the order of the document.
  std::vector<const json::Member*> Unknown() const;
  // Adds an issue for each unknown field.
  void Done();

  std::string PathOf(std::string_view name) const { return Child(path_, name); }
  const std::string& path() const { return path_; }
  Issues& issues() { return issues_; }

 private:
  bool WholeNumber(std::string_view name, int64_t smallest, int64_t largest, const char* type, int64_t& out);
  bool Mismatch(std::string_view name, const json::Value& value, const char* expected);
  std::string WrongValue(const json::Value& value, std::string_view detail) const;
  const char* NameOf(const char* type, const char* with_article) const;
  void AddUnknown(const json::Member& member);

  const json::Value& object_;
  std::string path_;
  Issues& issues_;
  Quoting quoting_;
  std::vector<std::string_view> known_;
};

// The member, or a null value when it is absent.
const json::Value& FieldOf(const json::Value& object, std::string_view name);
// "string", "number", "bool", "list", "object", "null".
const char* KindName(const json::Value& value);
// "expected int32, got string" with the value before it.
std::string WrongType(const json::Value& value, std::string_view expected, Quoting quoting = Quoting::kValues);
// unknown field "foo" (did you mean "fop"?), with a suggestion when a known name is similar.
std::string UnknownField(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace berth::fields
