#include "cluster/reflector/encoded_object.h"

#include "api/protobuf/envelope.h"

namespace berth::reflector {

using requests::Encoded;
using requests::Encoding;

namespace {

base::Result<api::ListMetadata> ForEachOfJson(std::string_view body, const std::function<void(Encoded)>& item) {
  const auto listed = api::ForEachJsonItem(body, [&](const api::JsonItem& found) -> base::Result<void> {
    item({Encoding::kJson, found.json});
    return {};
  });
  if (!listed) return tl::unexpected(listed.error());
  if (!*listed) return base::Fail("the answer is no list");
  return api::ListMetadataOf(body);
}

}  // namespace

api::ObjectIdentity IdentityOf(Encoded object) {
  return object.encoding == Encoding::kJson ? api::IdentityOf(object.text) : protobuf::IdentityOf(object.text);
}

api::ListMetadata MetadataOf(Encoded body) {
  if (body.encoding == Encoding::kJson) return api::ListMetadataOf(body.text);
  return protobuf::ForEachItem(body.text, [](std::string_view) {}).value_or(api::ListMetadata());
}

base::Result<api::ListMetadata> ForEachItem(Encoded body, const std::function<void(Encoded)>& item) {
  if (body.encoding == Encoding::kJson) return ForEachOfJson(body.text, item);
  return protobuf::ForEachItem(body.text, [&](std::string_view message) { item({Encoding::kProtobuf, message}); });
}

}  // namespace berth::reflector
