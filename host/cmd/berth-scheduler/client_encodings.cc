#include "cmd/berth-scheduler/client_encodings.h"

#include <string>

namespace berth {
namespace {

requests::Encoding NamedIn(const std::string& content_types) {
  const bool protobuf = content_types.find(requests::kProtobufType) != std::string::npos;
  return protobuf ? requests::Encoding::kProtobuf : requests::Encoding::kJson;
}

}  // namespace

requests::Encodings EncodingsOf(const config::ClientConnection& client) {
  return {.bodies = NamedIn(client.content_type),
          .replies = NamedIn(client.accept_content_types.empty() ? client.content_type : client.accept_content_types)};
}

}  // namespace berth
