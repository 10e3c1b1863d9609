// Finds what the API server would refuse to decode in the parts of objects that scheduling reads: unknown fields, wrong
// types, and unknown enum values. Source: the Go types of k8s.io/api 1.36. Callers: the loader, for objects that do not
// come from an API server. Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/json/value.h"

namespace berth::manifests {

struct KindName {
  std::string_view api_version, kind;
};

struct SchemaFault {
  json::Mark mark;
  std::string path;    // "spec.containers[0].ports[0].hostPort"
  std::string reason;  // `unknown field "nmae"`, `Invalid value: "5": expected an integer, got string`
};

// Whether the schema covers the kind of this API group and version.
bool IsKnownKind(std::string_view api_version, std::string_view kind);

// All faults of an object of a known kind, in the order of its fields.
std::vector<SchemaFault> CheckSchema(const std::string& kind, const json::Value& object);

}  // namespace berth::manifests
