// Reads YAML or JSON text of one or more documents into json::Value trees with marks, and with the types that Go's
// sigs.k8s.io/yaml gives them. Callers: configuration and manifests. Thread: any; results are values.
//
// Merge keys (<<) are expanded in place as in Go: a key of both the merged map and the map itself is a duplicate, and
// the last value stays. Text must be UTF-8; control characters are rejected, as in Go.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/json/value.h"

namespace berth::yaml {

struct YamlLimits {
  size_t max_bytes = 1 << 20;        // of the text; manifests may use more
  int max_depth = 200;               // of nested containers; yaml-cpp itself gives up at 500
  size_t max_alias_nodes = 100'000;  // values that aliases may add to the text
};

// Why the text could not be parsed.
struct YamlFault {
  json::Mark mark;
  std::string reason;
};

// The reason without quoted parts of the text.
std::string Unquoted(std::string_view reason);

struct YamlDocument {
  json::Value root;
  std::vector<json::DuplicateKey> duplicates;  // strict readers treat each as an error
};

// Calls sink once for each document that is not empty, in order, so that a large text needs memory for only one
// document. Stops at the first fault; sink has received the documents before it.
std::optional<YamlFault> ForEachYamlDocument(std::string_view text, const YamlLimits& limits,
                                             const std::function<void(YamlDocument)>& sink);

// All documents at once. The error is "name:line:column: reason"; a repeated key is an error too.
base::Result<std::vector<json::Value>> ReadYaml(std::string_view text, const std::string& name,
                                                const YamlLimits& limits = {});

}  // namespace berth::yaml
