// The JSON of a message that Berth writes, without what protobuf cannot tell from nothing. Thread: any.
#pragma once

#include <string_view>
#include <utility>

#include "api/protobuf/envelope.h"
#include "api/protobuf/message_types.h"
#include "api/protobuf/transcode.h"
#include "codec/json/value.h"

namespace berth::protobuf {

// Without members that mean the same as none: null, "", 0, {}.
inline json::Value Meaning(json::Value value) {
  if (!value.is_object()) return value;
  json::Object kept;
  for (auto& [key, member] : value.mutable_object()) {
    json::Value meaning = Meaning(std::move(member));
    const bool zero = meaning.is_null() || (meaning.is_string() && meaning.string().empty()) ||
                      (meaning.is_int() && meaning.integer() == 0) || (meaning.is_object() && meaning.object().empty());
    if (!zero) kept.emplace_back(key, std::move(meaning));
  }
  return kept;
}

// Of the object in an envelope; null if it is none of a known kind.
inline json::Value MeaningOf(std::string_view body) {
  const auto envelope = OpenEnvelope(body);
  const KindType* kind = envelope ? FindKind(envelope->api_version, envelope->kind) : nullptr;
  if (kind == nullptr) return {};
  const auto text = ToJson(*kind, envelope->message);
  return text ? Meaning(*json::Parse(*text)) : json::Value();
}

}  // namespace berth::protobuf
