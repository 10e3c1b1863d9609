#include "client/requests/json_body.h"

#include "api/protobuf/envelope.h"
#include "api/protobuf/message_types.h"
#include "api/protobuf/transcode.h"
#include "client/requests/encoding.h"

namespace berth::requests {

bool ToJsonBody(http::Request& request) {
  if (EncodingOf(request.content_type) != Encoding::kProtobuf) return false;
  const auto envelope = protobuf::OpenEnvelope(request.body);
  if (!envelope) return false;
  const protobuf::KindType* kind = protobuf::FindKind(envelope->api_version, envelope->kind);
  if (kind == nullptr) return false;
  auto json = protobuf::ToJson(*kind, envelope->message);
  if (!json) return false;
  request.body = std::move(*json);
  request.content_type = kJsonType;
  return true;
}

}  // namespace berth::requests
