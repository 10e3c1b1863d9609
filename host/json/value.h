// A JSON value for cold paths: configuration, plugin args, manifests, results. Objects keep the document's order of
// keys and every value remembers where it stood, so that an error can name file, line and column. Thread: like a
// std::vector; a const Value may be read from any thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace berth::json {

// Where a value began in its document; both 1-based, 0 = unknown (made by a program).
struct Mark {
  int line = 0;
  int column = 0;
};

class Value;
using Array = std::vector<Value>;
using Member = std::pair<std::string, Value>;
using Object = std::vector<Member>;  // unique keys, document order

enum class Kind : uint8_t { kNull, kBool, kInt, kNumber, kString, kArray, kObject };

class Value {
 public:
  Value() = default;
  Value(std::nullptr_t) {}
  Value(bool b) : data_(b) {}
  Value(int i) : data_(static_cast<int64_t>(i)) {}
  Value(int64_t i) : data_(i) {}
  Value(double d) : data_(d) {}
  Value(const char* s) : data_(std::string(s)) {}
  Value(std::string_view s) : data_(std::string(s)) {}
  Value(std::string s) : data_(std::move(s)) {}
  Value(Array a);
  Value(Object o);
  // A whole number without a sign. Beyond int64 it is a kNumber that keeps every digit.
  static Value Whole(uint64_t n);
  static Value MakeObject(std::initializer_list<Member> members = {});

  Kind kind() const;
  bool is_null() const { return kind() == Kind::kNull; }
  bool is_bool() const { return kind() == Kind::kBool; }
  bool is_int() const { return kind() == Kind::kInt; }
  bool is_number() const { return kind() == Kind::kInt || kind() == Kind::kNumber; }
  bool is_string() const { return kind() == Kind::kString; }
  bool is_array() const { return kind() == Kind::kArray; }
  bool is_object() const { return kind() == Kind::kObject; }

  // The value when it is of that kind, else a neutral one (false, 0, "").
  bool boolean() const;
  int64_t integer() const;
  double number() const;          // also of an int
  uint64_t beyond_int64() const;  // all digits of a whole number from 2^63 to 2^64-1; 0 of every other value
  const std::string& string() const;
  const Array& array() const;    // empty when not an array
  const Object& object() const;  // empty when not an object
  // For building; the value becomes that kind first when it is another.
  Array& mutable_array();
  Object& mutable_object();

  // Member of an object; nullptr when absent or not an object.
  const Value* Find(std::string_view key) const;
  Value* Find(std::string_view key);
  // As Find, along "metadata.labels": one lookup per dot-separated part.
  const Value* FindPath(std::string_view dotted) const;
  // Inserts at the end or replaces; the value becomes an object when it is not one. Returns the stored value.
  Value& Set(std::string_view key, Value value);
  // The member, made null when absent.
  Value& operator[](std::string_view key);
  bool Erase(std::string_view key);  // true when it was there
  void Append(Value value);

  const Mark& mark() const { return mark_; }
  void set_mark(Mark mark) { mark_ = mark; }
  // Of a member of an object: where its key stood. For errors about the member itself (unknown, duplicate).
  const Mark& key_mark() const { return key_mark_; }
  void set_key_mark(Mark mark) { key_mark_ = mark; }

  // Same kind and content; marks do not count, nor does the order of an object's keys. 1 and 1.0 differ, and so do 2^63
  // and 2^63 as a double.
  bool operator==(const Value& other) const;

 private:
  // In the order of Kind; the last is a kNumber, too.
  std::variant<std::monostate, bool, int64_t, double, std::string, Array, Object, uint64_t> data_;
  Mark mark_;
  Mark key_mark_;
};

// Containers may be nested this deep; deeper documents are refused before they can exhaust a stack.
inline constexpr int kMaxDepth = 500;

// Parses one JSON document (RFC 8259; duplicate keys are an error that names the key). Whole numbers that fit int64
// become ints, and those up to 2^64-1 stay whole. The error names line and column. Values carry marks; columns count
// bytes.
base::Result<Value> Parse(std::string_view text);

struct DuplicateKey {
  std::string path;  // of the repeated member: "a.b[0].c"
  std::string key;
  Mark mark;
};
// As Parse, but repeated keys are appended to duplicates instead of failing; the value given last stays, as in Go.
base::Result<Value> ParseCollecting(std::string_view text, std::vector<DuplicateKey>& duplicates);

// indent < 0: on one line without spaces. Otherwise pretty with that many spaces. Invalid UTF-8 becomes U+FFFD.
// Numbers as Go's encoding/json writes them: a whole double has no fraction ("50"), infinities and NaN become null.
std::string Dump(const Value& value, int indent = -1);
// Appends the JSON string literal of text, quotes included.
void AppendQuoted(std::string& out, std::string_view text);
// The shortest text that reads back as the same number, in Go's encoding/json layout ("1e+21", "1e-7", "0.5", "50").
std::string NumberText(double number);
// Of a kInt or kNumber, every digit that it has.
std::string NumberText(const Value& number);

}  // namespace berth::json
