#include "scheduler/objects/merge_patch.h"

namespace berth::objects {

void MergePatch(json::Value& target, const json::Value& patch) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  target.mutable_object();  // replaces any other type by {}
  for (const auto& [key, value] : patch.object()) {
    if (value.is_null()) {
      target.Erase(key);
    } else {
      MergePatch(target[key], value);
    }
  }
}

}  // namespace berth::objects
