// What the controllers need of an object's metadata. Thread: any; values.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "codec/json/value.h"
#include "codec/text/rfc3339.h"

namespace berth::rules {

// "namespace/name", as reflector::ObjectFeed::Seen has it.
inline std::string KeyOf(const std::string& ns, const std::string& name) { return ns + "/" + name; }

struct ObjectMeta {
  std::string ns, name, uid, resource_version;
  int64_t created_unix_ns = text::kNoTime;
  std::string key() const { return KeyOf(ns, name); }
};

// object: the whole object. Error: an unusable creationTimestamp.
base::Result<ObjectMeta> MetaOf(const json::Value& object);

// Reads a time at a dotted path. text::kNoTime: it is absent. Error: it is no time; names the path.
base::Result<int64_t> TimeAt(const json::Value& object, const char* path);

}  // namespace berth::rules
