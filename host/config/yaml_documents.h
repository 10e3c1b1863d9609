// Reads YAML or JSON text of one or many documents into json::Value trees with marks, typed as Go's sigs.k8s.io/yaml
// types them. Callers: configuration and manifests. Thread: any; everything is returned by value.
//
// Merge keys (<<) are expanded in place as Go does: a key that the merged map and the map itself both give is a
// duplicate, and the one given last stays. Text must be UTF-8; control characters are refused, as Go refuses them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace berth::config {

struct YamlLimits {
  size_t max_bytes = 1 << 20;        // of the whole text; manifests may raise it
  int max_depth = 200;               // of nested containers; yaml-cpp itself gives up at 500
  size_t max_alias_nodes = 100'000;  // values that aliases may add to the whole text
};

// Why the text could not be read at all.
struct YamlFault {
  json::Mark mark;
  std::string reason;
};

// A fault's reason less what it quotes of the text.
std::string Unquoted(std::string_view reason);

struct YamlDocument {
  json::Value root;
  std::vector<json::DuplicateKey> duplicates;  // strict readers treat each as an error
};

// Calls sink once per document that holds something, in order, so that a large text needs memory for one document only.
// Stops at the first fault; documents before it have been delivered.
std::optional<YamlFault> ForEachYamlDocument(std::string_view text, const YamlLimits& limits,
                                             const std::function<void(YamlDocument)>& sink);

// All documents at once. The error reads "name:line:column: reason"; a repeated key is an error too.
base::Result<std::vector<json::Value>> ReadYaml(std::string_view text, const std::string& name,
                                                const YamlLimits& limits = {});

}  // namespace berth::config
