// Writes one protobuf message. Fields may come in any order; an inner message without fields is left out. Only this
// file and message.h include protozero. Thread: one. Ownership: none; the text outlives the writers, and an outer
// message is not written while an inner one exists.
#pragma once

#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <span>
#include <string>
#include <string_view>

#include "api/protobuf/envelope.h"
#include "api/protobuf/fields.h"

namespace berth::protobuf {

class MessageWriter {
 public:
  // Appends to out.
  explicit MessageWriter(std::string& out) : out_(out), writer_(out) {}
  // The message in this field of outer; complete when the object ends.
  MessageWriter(MessageWriter& outer, uint32_t field) : out_(outer.out_), writer_(outer.writer_, field) {}
  MessageWriter(const MessageWriter&) = delete;

  // Also an empty text, which is not the same as none if the Go type has a pointer. Invalid UTF-8 becomes U+FFFD, as in
  // JSON.
  void Text(uint32_t field, std::string_view text);
  void TextUnlessEmpty(uint32_t field, std::string_view text) {
    if (!text.empty()) Text(field, text);
  }
  // Also of an int32.
  void Int64(uint32_t field, int64_t value) { writer_.add_int64(field, value); }
  // A metav1.MicroTime or, if unix_ns has whole seconds, a metav1.Time. text::kNoTime: Go's zero time.
  void MicroTime(uint32_t field, int64_t unix_ns);
  // The fields of message as they came, also those with unknown numbers, except for the numbers in left_out. Throws a
  // DecodeError.
  void CopyFields(std::string_view message, std::span<const uint32_t> left_out);

 private:
  std::string& out_;
  protozero::pbf_writer writer_;
};

// Into the metadata of an object.
void WriteNames(MessageWriter& metadata, std::string_view ns, std::string_view name);

// What the API server expects an object in: the magic "k8s\0", and a runtime.Unknown with the kind.
// fill(MessageWriter&) writes the object. texts: about how many bytes fill writes as texts, so that one allocation is
// enough.
template <class Fill>
std::string WriteEnvelope(std::string_view api_version, std::string_view kind, size_t texts, Fill&& fill) {
  constexpr size_t kFields = 256;  // tags, lengths, numbers, and what the writer reserves for lengths
  std::string body;
  body.reserve(texts + kFields);
  body.append(kEnvelopeMagic);
  MessageWriter unknown(body);
  {
    MessageWriter type(unknown, fields::Unknown::kTypeMeta);
    type.Text(fields::TypeMeta::kApiVersion, api_version);
    type.Text(fields::TypeMeta::kKind, kind);
  }
  {
    MessageWriter object(unknown, fields::Unknown::kRaw);
    fill(object);
  }
  return body;
}

}  // namespace berth::protobuf
