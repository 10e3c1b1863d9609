// One object as plugins see it: its document, and views into it in the ABI's layout. Immutable and reference-counted:
// the store, events, and pending deliveries hold it. Thread: any.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/block.h"
#include "api/intern_tables.h"
#include "api/text_view.h"
#include "base/result.h"
#include "berth/objects.h"
#include "codec/json/value.h"

namespace berth::objects {

struct Object {
  berth_object abi;  // its texts point into `value`, its labels into the block
  json::Value value;
  api::Ref<const api::LabelsBlock> labels;

  std::string_view ns() const { return api::View(abi.ns); }
  std::string_view name() const { return api::View(abi.name); }
  std::string_view uid() const { return api::View(abi.uid); }
  std::string_view resource_version() const { return api::View(abi.resource_version); }
  std::string key() const;  // "namespace/name"; the name if it has no namespace
};
using ObjectRef = std::shared_ptr<const Object>;

// The error names what is missing. with_pod_template: false drops spec.template, as the ABI requires for some kinds.
base::Result<ObjectRef> MakeObject(api::InternTables& intern, json::Value value, bool with_pod_template = true);
// Like MakeObject, from the object's JSON text.
base::Result<ObjectRef> ParseObject(api::InternTables& intern, std::string_view json, bool with_pod_template = true);

// The object's document for an event. The result keeps the object alive.
inline std::shared_ptr<const json::Value> ValueOf(const ObjectRef& object) {
  return object == nullptr ? nullptr : std::shared_ptr<const json::Value>(object, &object->value);
}

}  // namespace berth::objects
