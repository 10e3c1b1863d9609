#include "simulator/simulation/patch.h"

#include <algorithm>
#include <utility>

#include "scheduler/objects/merge_patch.h"

namespace berth::simulation {
namespace {

using json::Value;

constexpr std::pair<std::string_view, std::string_view> kMergeKeys[] = {
    {"conditions", "type"},     {"ownerReferences", "uid"}, {"podIPs", "ip"},
    {"hostIPs", "ip"},          {"volumes", "name"},        {"containers", "name"},
    {"initContainers", "name"}, {"resourceClaims", "name"}, {"resourceClaimStatuses", "name"},
};
constexpr std::string_view kPatch = "$patch", kRetain = "$retainKeys", kOrder = "$setElementOrder/",
                           kDelete = "$deleteFromPrimitiveList/";

std::string_view MergeKeyOf(std::string_view field) {
  for (const auto& [name, key] : kMergeKeys) {
    if (name == field) return key;
  }
  return {};
}

std::string_view DirectiveOf(const Value& patch) {
  const Value* directive = patch.Find(kPatch);
  return directive == nullptr ? std::string_view() : std::string_view(directive->string());
}

bool Contains(const json::Array& items, const Value& wanted) {
  return std::find(items.begin(), items.end(), wanted) != items.end();
}

void Retain(Value& target, const json::Array& keys) {
  json::Object& members = target.mutable_object();
  std::erase_if(members, [&](const json::Member& member) { return !Contains(keys, Value(member.first)); });
}

void MergeUnion(Value& target, const json::Array& items) {
  for (const Value& item : items) {
    if (!Contains(target.array(), item)) target.Append(item);
  }
}

void MergeElement(json::Array& items, std::string_view key, const Value& patch) {
  const Value* id = patch.Find(key);
  const auto at = std::find_if(items.begin(), items.end(), [&](const Value& item) {
    const Value* other = item.Find(key);
    return id != nullptr && other != nullptr && *other == *id;
  });
  if (DirectiveOf(patch) == "delete") {
    if (at != items.end()) items.erase(at);
  } else if (at != items.end()) {
    StrategicMerge(*at, patch);
  } else {
    StrategicMerge(items.emplace_back(Value::MakeObject()), patch);
  }
}

void MergeList(Value& target, std::string_view field, const Value& patch) {
  const json::Array& items = patch.array();
  if (field == "finalizers") return MergeUnion(target, items);
  const std::string_view key = MergeKeyOf(field);
  const bool replaces =
      std::any_of(items.begin(), items.end(), [](const Value& i) { return DirectiveOf(i) == "replace"; });
  if (key.empty() || replaces) {
    target = patch;
    std::erase_if(target.mutable_array(), [](const Value& i) { return DirectiveOf(i) == "replace"; });
    return;
  }
  for (const Value& item : items) MergeElement(target.mutable_array(), key, item);
}

// Applies a directive. Returns false if the member is no directive.
bool Obey(Value& target, std::string_view key, const Value& patch) {
  if (key == kPatch || key.starts_with(kOrder)) return true;
  if (key == kRetain) return Retain(target, patch.array()), true;
  if (!key.starts_with(kDelete)) return false;
  if (Value* list = target.Find(key.substr(kDelete.size()))) {
    std::erase_if(list->mutable_array(), [&](const Value& item) { return Contains(patch.array(), item); });
  }
  return true;
}

}  // namespace

void StrategicMerge(Value& target, const Value& patch) {
  const std::string_view directive = DirectiveOf(patch);
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  if (directive == "replace" || directive == "delete" || !target.is_object()) target = Value::MakeObject();
  if (directive == "delete") return;
  for (const auto& [key, value] : patch.object()) {
    if (Obey(target, key, value)) continue;
    if (value.is_null()) {
      target.Erase(key);
    } else if (value.is_array()) {
      MergeList(target[key], key, value);
    } else {
      StrategicMerge(target[key], value);
    }
  }
}

base::Result<Value> Patched(Value object, std::string_view content_type, std::string_view body) {
  auto patch = json::Parse(body);
  if (!patch) return tl::unexpected(patch.error());
  if (!patch->is_object()) return base::Fail("a patch must be a JSON object");
  if (content_type == "application/merge-patch+json") {
    objects::MergePatch(object, *patch);
  } else if (content_type == "application/strategic-merge-patch+json") {
    StrategicMerge(object, *patch);
  } else {
    return base::Fail(
        "the body of the request was in an unknown format - accepted media types include: "
        "application/merge-patch+json, application/strategic-merge-patch+json");
  }
  return object;
}

}  // namespace berth::simulation
