// In which encoding an API server sends objects. Thread: any; constants and values.
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

// The header Accept for both; servers answer in the first that they have. A custom resource has JSON only.
inline constexpr char kAcceptBoth[] = "application/vnd.kubernetes.protobuf,application/json";

// content_type: of a reply, such as "application/vnd.kubernetes.protobuf;stream=watch". Anything but protobuf is JSON.
inline Encoding EncodingOf(std::string_view content_type) {
  constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";
  return content_type.starts_with(kProtobuf) ? Encoding::kProtobuf : Encoding::kJson;
}

}  // namespace berth::requests
