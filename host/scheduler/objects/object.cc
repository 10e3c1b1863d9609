#include "scheduler/objects/object.h"

#include <algorithm>
#include <vector>

#include "api/content.h"

namespace berth::objects {
namespace {

using json::Value;

// Releases the unused capacity that parsing left, because objects are kept for a long time.
void Shrink(Value& value) {
  if (value.is_array()) {
    json::Array& items = value.mutable_array();
    items.shrink_to_fit();
    for (Value& item : items) Shrink(item);
  } else if (value.is_object()) {
    json::Object& members = value.mutable_object();
    members.shrink_to_fit();
    for (auto& [key, member] : members) Shrink(member);
  }
}

void DropBulk(Value& value, bool with_pod_template) {
  Value* metadata = value.Find("metadata");
  metadata->Erase("managedFields");
  if (Value* annotations = metadata->Find("annotations")) {
    annotations->Erase("kubectl.kubernetes.io/last-applied-configuration");
  }
  Value* spec = value.Find("spec");
  if (!with_pod_template && spec != nullptr) spec->Erase("template");
}

berth_str MetadataText(const Value& metadata, std::string_view key) {
  const Value* found = metadata.Find(key);
  if (found == nullptr) return {"", 0};
  const std::string& text = found->string();
  return {text.data(), text.size()};
}

api::Ref<const api::LabelsBlock> LabelsOf(api::InternTables& intern, const Value& metadata) {
  std::vector<api::TextPair> pairs;
  if (const Value* labels = metadata.Find("labels")) {
    for (const auto& [key, value] : labels->object()) pairs.push_back({key, value.string()});
  }
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  return api::MakeLabels(intern, pairs);
}

}  // namespace

std::string Object::key() const {
  std::string key(ns());
  if (!key.empty()) key += '/';
  return key.append(name());
}

base::Result<ObjectRef> MakeObject(api::InternTables& intern, Value value, bool with_pod_template) {
  const Value* metadata = value.Find("metadata");
  if (metadata == nullptr || !metadata->is_object()) return base::Fail("metadata: Required value");
  const Value* name = metadata->Find("name");
  if (name == nullptr || name->string().empty()) return base::Fail("metadata.name: Required value");
  auto object = std::make_shared<Object>();
  object->value = std::move(value);
  DropBulk(object->value, with_pod_template);
  Shrink(object->value);
  const Value& kept = *object->value.Find("metadata");
  object->labels = LabelsOf(intern, kept);
  object->abi = {sizeof(berth_object),
                 0,
                 MetadataText(kept, "namespace"),
                 MetadataText(kept, "name"),
                 MetadataText(kept, "uid"),
                 MetadataText(kept, "resourceVersion"),
                 &object->labels->abi,
                 reinterpret_cast<const berth_value*>(&object->value)};
  return object;
}

base::Result<ObjectRef> ParseObject(api::InternTables& intern, std::string_view json, bool with_pod_template) {
  auto value = json::Parse(json);
  if (!value) return tl::unexpected(value.error());
  return MakeObject(intern, std::move(*value), with_pod_template);
}

}  // namespace berth::objects
