// Reads one protobuf message front to back, and tells an error with the path of its field. Fields that are not read are
// skipped. Only this file and message_writer.h include protozero, whose exceptions become a DecodeError; the functions
// that start to decode catch it. Thread: one. Ownership: none; the texts are views of the message, and an outer message
// outlives its inner ones.
#pragma once

#include <cstdint>
#include <exception>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "base/quantity.h"

namespace berth::protobuf {

// "spec.containers[0].resources.requests["cpu"]: ...".
class DecodeError final : public std::exception {
 public:
  explicit DecodeError(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

class Message {
 public:
  explicit Message(std::string_view bytes) : reader_(bytes.data(), bytes.size()) {}
  // The message in the current field of `outer`. index: in a repeated field; kNoIndex: it is a single one.
  Message(Message& outer, const char* name, size_t index = kNoIndex)
      : reader_(View(outer.Bytes())), outer_(&outer), name_(name), index_(index) {}
  Message(const Message&) = delete;
  static constexpr size_t kNoIndex = SIZE_MAX;

  // Goes to the next field. False: there is none.
  bool Next();
  uint32_t field() const { return reader_.tag(); }
  // Calls element() for the current field and for those of the same number that follow it at once.
  template <class Element>
  void Each(Element&& element) {
    const uint32_t number = field();
    bool more = true;
    while (more) {
      element();
      more = Next() && field() == number;
    }
    again_ = !done_;
  }

  // The value of the current field; call one of them at most once. A value of another wire type is an error.
  std::string_view Bytes();
  std::string_view Text() { return Bytes(); }
  int64_t Int64();
  int32_t Int32() { return static_cast<int32_t>(Int64()); }
  bool Bool() { return Int64() != 0; }
  // A metav1.Time in nanoseconds of Unix time, like text::ParseRfc3339. name: of the field, for errors.
  int64_t Time(const char* name);
  // A metav1.MicroTime, in the same way.
  int64_t MicroTime(const char* name);
  base::Quantity Quantity(const char* name);

  // For map entries: names the message by its key in errors.
  void set_key(std::string_view key) { key_ = key; }
  // Throws a DecodeError with the path of this message.
  [[noreturn]] void Fail(std::string_view what) const;

 private:
  static protozero::data_view View(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
  std::string Path() const;
  [[noreturn]] void FailMalformed(const char* what) const;

  protozero::pbf_reader reader_;
  const Message* outer_ = nullptr;
  const char* name_ = nullptr;
  size_t index_ = kNoIndex;
  std::string_view key_;  // data() null: it is no entry of a map
  bool unread_ = false;   // the current field's value
  bool again_ = false;    // Next stays at the current field
  bool done_ = false;
};

inline constexpr int64_t kGoZeroSeconds = -62135596800;  // 0001-01-01T00:00:00Z, Go's zero time
// The fields of the message that is an entry of a map.
inline constexpr uint32_t kMapKey = 1, kMapValue = 2;
// An entry of a map whose values are texts or messages.
struct MapEntry {
  std::string_view key, value;
};
MapEntry EntryOf(std::string_view bytes);

}  // namespace berth::protobuf
