// Writes what an API server sends in protobuf: envelopes, lists, and watch events of small objects. Thread: any.
#pragma once

#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

#include "api/protobuf/fields.h"

namespace berth::protobuf {

// A message: fill writes its fields.
template <class Fill>
std::string MessageOf(Fill&& fill) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  fill(writer);
  return bytes;
}

inline std::string MapEntryOf(const std::string& key, const std::string& value) {
  return MessageOf([&](auto& entry) {
    entry.add_string(1, key);
    entry.add_string(2, value);
  });
}

inline std::string EnvelopeOf(const std::string& kind, const std::string& message) {
  return std::string("k8s\0", 4) + MessageOf([&](auto& unknown) {
           unknown.add_message(fields::Unknown::kTypeMeta,
                               MessageOf([&](auto& type) { type.add_string(fields::TypeMeta::kKind, kind); }));
           unknown.add_message(fields::Unknown::kRaw, message);
         });
}

// An object of any kind that has nothing but its metadata.
inline std::string ObjectOf(const std::string& name, const std::string& version, bool initial_events_end = false) {
  return MessageOf([&](auto& object) {
    object.add_message(fields::Pod::kMetadata, MessageOf([&](auto& metadata) {
                         metadata.add_string(fields::ObjectMeta::kName, name);
                         metadata.add_string(fields::ObjectMeta::kResourceVersion, version);
                         if (!initial_events_end) return;
                         metadata.add_message(fields::ObjectMeta::kAnnotations,
                                              MapEntryOf("k8s.io/initial-events-end", "true"));
                       }));
  });
}

inline std::string ListOf(const std::vector<std::string>& items, const std::string& version, const std::string& next) {
  return MessageOf([&](auto& list) {
    list.add_message(fields::PodList::kMetadata, MessageOf([&](auto& metadata) {
                       metadata.add_string(fields::ListMeta::kResourceVersion, version);
                       metadata.add_string(fields::ListMeta::kContinue, next);
                     }));
    for (const std::string& item : items) list.add_message(fields::PodList::kItems, item);
  });
}

inline std::string StatusMessageOf(int code, const std::string& reason, const std::string& message) {
  return MessageOf([&](auto& status) {
    status.add_string(fields::Status::kMessage, message);
    status.add_string(fields::Status::kReason, reason);
    status.add_message(fields::Status::kDetails, MessageOf([](auto& details) {
                         details.add_int32(fields::StatusDetails::kRetryAfterSeconds, 3);
                       }));
    status.add_int32(fields::Status::kCode, code);
  });
}

// A WatchEvent with an envelope in it.
inline std::string EventOf(const std::string& type, const std::string& kind, const std::string& message) {
  return MessageOf([&](auto& event) {
    event.add_string(fields::WatchEvent::kType, type);
    event.add_message(fields::WatchEvent::kObject, MessageOf([&](auto& extension) {
                        extension.add_message(fields::RawExtension::kRaw, EnvelopeOf(kind, message));
                      }));
  });
}

// A frame of a watch: its length, and the text.
inline std::string FrameOf(const std::string& text) {
  std::string frame;
  for (int shift = 24; shift >= 0; shift -= 8) frame += static_cast<char>(text.size() >> shift & 0xff);
  return frame + text;
}

}  // namespace berth::protobuf
