#include "controllers/rules/object_meta.h"

namespace berth::rules {

base::Result<int64_t> TimeAt(const json::Value& object, const char* path) {
  const json::Value* found = object.FindPath(path);
  int64_t unix_ns = text::kNoTime;
  if (found == nullptr || found->is_null()) return unix_ns;
  if (!text::ParseRfc3339(found->string(), unix_ns))
    return base::Fail(std::string(path) + ": expected an RFC 3339 time");
  return unix_ns;
}

base::Result<ObjectMeta> MetaOf(const json::Value& object) {
  const auto created = TimeAt(object, "metadata.creationTimestamp");
  if (!created) return tl::unexpected(created.error());
  return ObjectMeta{json::TextAt(object, "metadata.namespace"), json::TextAt(object, "metadata.name"),
                    json::TextAt(object, "metadata.uid"), json::TextAt(object, "metadata.resourceVersion"), *created};
}

}  // namespace berth::rules
