#include "cluster/reflector/encoded_object.h"

#include "api/protobuf/envelope.h"

namespace berth::reflector {

using requests::Encoded;
using requests::Encoding;

namespace {

using OnItem = std::function<base::Result<void>(Encoded)>;

base::Result<api::ListMetadata> ForEachOfJson(std::string_view body, const OnItem& item) {
  const auto listed = api::ForEachJsonItem(body, [&](const api::JsonItem& found) {
    return item({Encoding::kJson, found.json});
  });
  if (!listed) return tl::unexpected(listed.error());
  if (!*listed) return base::Fail("the answer is no list");
  return api::ListMetadataOf(body);
}

}  // namespace

api::ObjectIdentity IdentityOf(Encoded object) {
  return object.encoding == Encoding::kJson ? api::IdentityOf(object.text) : protobuf::IdentityOf(object.text);
}

Encoded BodyOf(const http::Reply& reply) {
  const bool protobuf = protobuf::IsEnvelope(reply.body);
  return {protobuf ? Encoding::kProtobuf : requests::EncodingOf(reply.content_type), reply.body};
}

api::ListMetadata MetadataOf(Encoded body) {
  if (body.encoding == Encoding::kJson) return api::ListMetadataOf(body.text);
  return protobuf::ForEachItem(body.text, [](std::string_view) { return base::Result<void>(); })
      .value_or(api::ListMetadata());
}

base::Result<api::ListMetadata> ForEachItem(Encoded body, const OnItem& item) {
  if (body.encoding == Encoding::kJson) return ForEachOfJson(body.text, item);
  return protobuf::ForEachItem(body.text, [&](std::string_view message) {
    return item({Encoding::kProtobuf, message});
  });
}

}  // namespace berth::reflector
