// Reads one JSON document with known types, front to back. Every error names the field's path. Only this file includes
// simdjson (3.0.1, on-demand, which checks only the brackets of skipped values). Thread: one reader per thread
// (OfThread()). Ownership: the reader owns a padded copy of the document and the unescaped texts. The views that it
// returns are valid until the next Read on the same reader.
#pragma once

#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "base/quantity.h"

namespace berth::api {

class JsonReader {
 public:
  using Value = simdjson::ondemand::value;

  // The calling thread's reader. Do not use it inside its own callbacks.
  static JsonReader& OfThread();

  // Reads the root object: calls field(key, value) -> bool for each member, in document order. Skips a member whose
  // value `field` does not read. Returns false after an error; see error().
  template <class Field>
  bool Read(std::string_view json, Field&& field);

  // The first error as "path: what"; only "what" if the error concerns the whole document.
  std::string error() const { return path_.empty() ? what_ : path_ + ": " + what_; }

  // These functions consume the value, treat null as absent (they call nothing and do not change `out`), and return
  // false after an error.
  template <class Field>
  bool Object(Value value, Field&& field) {
    return Members(value, Segment::kField, field);
  }
  // An object that is a map. Its keys are quoted in paths.
  template <class Entry>
  bool Map(Value value, Entry&& entry) {
    return Members(value, Segment::kKey, entry);
  }
  // Calls element(value) -> bool for every element, null included.
  template <class Element>
  bool Array(Value value, Element&& element);
  // An array of objects: calls begin() for each, then field(key, value) for its members. A null element counts as {}.
  template <class Begin, class Field>
  bool Objects(Value value, Begin&& begin, Field&& field) {
    return Array(value, [&](Value element) {
      begin();
      return Object(element, field);
    });
  }

  bool Text(Value value, std::string_view& out);
  bool Bool(Value value, bool& out);
  bool Int64(Value value, int64_t& out);
  bool Int32(Value value, int32_t& out);
  // A quantity: a string or a number. Null is zero, as in Go.
  bool Quantity(Value value, base::Quantity& out);
  // RFC 3339 to nanoseconds of Unix time.
  bool Time(Value value, int64_t& out);
  bool IsNull(Value& value, bool& null);

  // Records the error and its path. Always returns false.
  bool Fail(std::string_view what);

 private:
  struct Segment {
    enum Kind : uint8_t { kField, kKey, kIndex } kind;
    std::string_view name;
    size_t index;
  };
  static constexpr size_t kMaxDepth = 24;                // deeper than any field the decoders read
  static constexpr size_t kKeepBytes = size_t{1} << 20;  // a larger buffer is released before a smaller document

  static constexpr size_t kMaxBytes = size_t{1} << 30;

  bool Begin(std::string_view json);
  bool Fail(simdjson::error_code code);
  bool FailType(Value& value, std::string_view expected);
  template <class Member>
  bool Members(Value& value, Segment::Kind kind, Member& member);
  template <class Member>
  bool WalkObject(simdjson::ondemand::object& object, Segment::Kind kind, Member& member);

  std::unique_ptr<simdjson::ondemand::parser> parser_;
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0;  // the capacity of buffer_ and parser_, in bytes of text
  size_t size_ = 0;
  Segment segments_[kMaxDepth];
  size_t depth_ = 0;
  bool failed_ = false;
  std::string path_, what_;
};

template <class Field>
bool JsonReader::Read(std::string_view json, Field&& field) {
  if (!Begin(json)) return false;
  simdjson::ondemand::document document;
  simdjson::ondemand::object object;
  const simdjson::padded_string_view padded(buffer_.get(), size_, size_ + simdjson::SIMDJSON_PADDING);
  bool ok = true;
  if (const auto error = parser_->iterate(padded).get(document)) {
    ok = Fail(error);
  } else if (const auto not_object = document.get_object().get(object)) {
    ok = not_object == simdjson::INCORRECT_TYPE ? Fail("expected an object") : Fail(not_object);
  } else {
    ok = WalkObject(object, Segment::kField, field);
    if (ok && document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
      ok = Fail("malformed JSON: text after the document");
    }
  }
  return ok;
}

template <class Member>
bool JsonReader::WalkObject(simdjson::ondemand::object& object, Segment::Kind kind, Member& member) {
  if (depth_ == kMaxDepth) return Fail("nested too deep");
  Segment& segment = segments_[depth_++];
  for (auto result : object) {
    simdjson::ondemand::field field;
    if (const auto error = std::move(result).get(field)) {
      --depth_;
      return Fail(error);
    }
    segment = {kind, {}, 0};
    if (const auto error = field.unescaped_key().get(segment.name)) {
      --depth_;
      return Fail(error);
    }
    if (!member(segment.name, field.value())) return false;
  }
  --depth_;
  return true;
}

template <class Member>
bool JsonReader::Members(Value& value, Segment::Kind kind, Member& member) {
  simdjson::ondemand::object object;
  if (const auto error = value.get_object().get(object)) {
    bool null = false;
    if (error != simdjson::INCORRECT_TYPE) return Fail(error);
    return IsNull(value, null) && (null || FailType(value, "an object"));
  }
  return WalkObject(object, kind, member);
}

template <class Element>
bool JsonReader::Array(Value value, Element&& element) {
  simdjson::ondemand::array array;
  if (const auto error = value.get_array().get(array)) {
    bool null = false;
    if (error != simdjson::INCORRECT_TYPE) return Fail(error);
    return IsNull(value, null) && (null || FailType(value, "an array"));
  }
  if (depth_ == kMaxDepth) return Fail("nested too deep");
  Segment& segment = segments_[depth_++];
  segment = {Segment::kIndex, {}, 0};
  for (auto result : array) {
    Value item;
    // NOLINTNEXTLINE(performance-move-const-arg): simdjson gives a value only from an rvalue
    if (const auto error = std::move(result).get(item)) return Fail(error);
    if (!element(item)) return false;
    ++segment.index;
  }
  --depth_;
  return true;
}

}  // namespace berth::api
