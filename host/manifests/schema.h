// What the API server would refuse to decode: unknown fields, wrong types, words that are none of the known ones, in
// the parts of objects that scheduling reads. Source: the Go types of k8s.io/api 1.36. Callers: the loader, about
// objects that no API server has seen yet. Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace berth::manifests {

struct SchemaFault {
  json::Mark mark;
  std::string path;    // "spec.containers[0].ports[0].hostPort"
  std::string reason;  // `unknown field "nmae"`, `Invalid value: "5": expected an integer, got string`
};

// Is the kind of this API group and version one that is read at all? Others are for somebody else.
bool IsKnownKind(std::string_view api_version, std::string_view kind);

// Everything wrong with an object of a known kind, in its own order.
std::vector<SchemaFault> CheckSchema(const std::string& kind, const json::Value& object);

}  // namespace berth::manifests
