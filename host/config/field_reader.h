// Reads the fields of one object strictly: wrong types, values out of range and fields nobody asked for become issues,
// all of them, each at its place. null counts as absent, as in Go. Thread: one reader, one thread; it borrows
// everything.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.h"
#include "config/issue.h"
#include "json/value.h"

namespace berth::config {

// What issues quote of an object. kNothing: neither values nor what stands in a field's place and may be a value.
enum class Quoting : uint8_t { kValues, kNothing };

class FieldReader {
 public:
  // object may be null (nothing set). Anything else but an object is an issue, and no field is found then.
  FieldReader(const json::Value& object, std::string path, Issues& issues, Quoting quoting = Quoting::kValues);

  // Each leaves out alone and returns false unless the field is there and right. Names live as long as the reader.
  bool Bool(std::string_view name, bool& out);
  bool Int32(std::string_view name, int32_t& out);
  bool Int64(std::string_view name, int64_t& out);
  bool Float32(std::string_view name, float& out);
  bool String(std::string_view name, std::string& out);
  bool Duration(std::string_view name, std::chrono::nanoseconds& out);  // Go syntax
  bool Base64(std::string_view name, std::string& out);                 // out holds the bytes
  bool SecretBase64(std::string_view name, base::Secret& out);          // refuses what a printer puts in its place

  // The field when it is an object or a list, else nullptr.
  const json::Value* Object(std::string_view name, Quoting quoting = Quoting::kValues);
  const json::Value* List(std::string_view name);
  // Whatever it is; nullptr when absent or null.
  const json::Value* Any(std::string_view name);

  // Reports the fields that no call above asked for.
  void Done();

  std::string PathOf(std::string_view name) const { return Child(path_, name); }
  const std::string& path() const { return path_; }
  Issues& issues() { return issues_; }

 private:
  bool WholeNumber(std::string_view name, int64_t smallest, int64_t largest, const char* type, int64_t& out);
  bool Mismatch(std::string_view name, const json::Value& value, const char* expected);
  std::string WrongValue(const json::Value& value, std::string_view detail) const;
  void AddUnknown(const json::Member& member);

  const json::Value& object_;
  std::string path_;
  Issues& issues_;
  Quoting quoting_;
  std::vector<std::string_view> asked_;
};

// The member, or a null value when it is not there.
const json::Value& FieldOf(const json::Value& object, std::string_view name);
// "string", "number", "bool", "list", "object", "null".
const char* KindName(const json::Value& value);
// "expected int32, got string" with the value before it.
std::string WrongType(const json::Value& value, std::string_view expected, Quoting quoting = Quoting::kValues);
// unknown field "foo", with the nearest of the known names when one is near.
std::string UnknownField(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace berth::config
