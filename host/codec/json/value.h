// A JSON value for cold paths: configuration, plugin args, manifests, results. Objects keep the order of keys in the
// document, and every value has its position, so that an error can name file, line and column. Thread: like a
// std::vector; any thread may read a const Value.
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

// The position of a value in its document; both 1-based, 0 = unknown (created by a program).
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
  // An integer without a sign. Beyond int64 it is a kNumber that keeps every digit.
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

  // The value if it has that kind, else a neutral one (false, 0, "").
  bool boolean() const;
  int64_t integer() const;
  double number() const;          // also of an int
  uint64_t beyond_int64() const;  // all digits of a whole number from 2^63 to 2^64-1; 0 of every other value
  const std::string& string() const;
  const Array& array() const;    // empty when not an array
  const Object& object() const;  // empty when not an object
  // These build a tree; a value of another kind first becomes an empty container.
  Array& mutable_array();
  Object& mutable_object();

  // Member of an object; nullptr when absent or not an object.
  const Value* Find(std::string_view key) const;
  Value* Find(std::string_view key);
  // Find for each dot-separated part of "metadata.labels".
  const Value* FindPath(std::string_view dotted) const;
  // Adds or replaces a member; a value of another kind becomes an object. Returns the stored value.
  Value& Set(std::string_view key, Value value);
  // The member; an absent member is added as null.
  Value& operator[](std::string_view key);
  bool Erase(std::string_view key);  // true when it was there
  void Append(Value value);

  const Mark& mark() const { return mark_; }
  void set_mark(Mark mark) { mark_ = mark; }
  // The position of the key of a member, for errors about the member itself (unknown, duplicate).
  const Mark& key_mark() const { return key_mark_; }
  void set_key_mark(Mark mark) { key_mark_ = mark; }

  // Compares kind and content, but neither marks nor the order of the keys. 1 and 1.0 differ, and so do 2^63 and 2^63
  // as a double.
  bool operator==(const Value& other) const;

 private:
  // In the order of Kind; the last is a kNumber, too.
  std::variant<std::monostate, bool, int64_t, double, std::string, Array, Object, uint64_t> data_;
  Mark mark_;
  Mark key_mark_;
};

// The deepest nesting of containers; deeper documents are rejected before they can overflow a stack.
inline constexpr int kMaxDepth = 500;

// Parses one JSON document (RFC 8259; a duplicate key is an error that names the key). Integers that fit into int64
// become ints, and those up to 2^64-1 keep all digits. The error has line and column. Values have marks; columns count
// bytes.
base::Result<Value> Parse(std::string_view text);

struct DuplicateKey {
  std::string path;  // of the repeated member: "a.b[0].c"
  std::string key;
  Mark mark;
};
// As Parse, but a repeated key is appended to duplicates and is no error; its last value stays, as in Go.
base::Result<Value> ParseCollecting(std::string_view text, std::vector<DuplicateKey>& duplicates);

// indent < 0: one line without spaces. Otherwise pretty-printed with that indentation. Invalid UTF-8 becomes U+FFFD.
// Numbers as Go's encoding/json writes them: a whole double has no fraction ("50"), infinities and NaN become null.
std::string Dump(const Value& value, int indent = -1);
// Appends the JSON string literal of text, quotes included.
void AppendQuoted(std::string& out, std::string_view text);
// The shortest text that reads back as the same number, in Go's encoding/json layout ("1e+21", "1e-7", "0.5", "50").
std::string NumberText(double number);
// The text of a kInt or kNumber with all its digits.
std::string NumberText(const Value& number);

// The string at a dotted path (FindPath); "" when there is none, or another kind.
std::string TextAt(const Value& object, std::string_view path);

}  // namespace berth::json
