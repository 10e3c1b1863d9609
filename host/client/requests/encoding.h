// In which encoding objects are sent and received. Thread: any; constants and values.
#pragma once

#include <cstdint>
#include <string_view>

namespace berth::requests {

enum class Encoding : uint8_t { kJson, kProtobuf };

// A text of the server with its encoding. As a list: in protobuf with its envelope. As an object: without one.
struct Encoded {
  Encoding encoding = Encoding::kJson;
  std::string_view text;
};

// The headers Content-Type of a body, and Accept.
inline constexpr char kJsonType[] = "application/json", kProtobufType[] = "application/vnd.kubernetes.protobuf";
// The header Accept for both; servers answer in the first that they have. A custom resource has JSON only.
inline constexpr char kAcceptBoth[] = "application/vnd.kubernetes.protobuf,application/json";

// What a client sends, and asks for, of built-in kinds. Patches and custom resources are JSON in any case.
struct Encodings {
  Encoding bodies = Encoding::kJson, replies = Encoding::kJson;  // of replies, protobuf: JSON is accepted too
};
// What the log says, once, when the server answers protobuf with 415 Unsupported Media Type.
inline constexpr char kProtobufRefused[] = "The API server does not accept protobuf; requests are JSON from now on";
inline constexpr int kUnsupportedMediaType = 415;

inline const char* TypeOf(Encoding body) { return body == Encoding::kProtobuf ? kProtobufType : kJsonType; }
inline const char* AcceptOf(Encoding replies) { return replies == Encoding::kProtobuf ? kAcceptBoth : kJsonType; }

// content_type: of a reply, such as "application/vnd.kubernetes.protobuf;stream=watch". Anything but protobuf is JSON.
inline Encoding EncodingOf(std::string_view content_type) {
  return content_type.starts_with(kProtobufType) ? Encoding::kProtobuf : Encoding::kJson;
}

}  // namespace berth::requests
