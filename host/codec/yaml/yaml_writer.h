// Writes a value as YAML with the same bytes as sigs.k8s.io/yaml 1.6 (go.yaml.in/yaml/v2 encode.go, emitterc.go,
// sorter.go): keys sorted with numbers by value, lists not indented below their key, the same choice of quotes, lines
// folded after column 80. Thread: any.
#pragma once

#include <string>

#include "codec/json/value.h"

namespace berth::yaml {

// Ends with a line feed.
std::string WriteYaml(const json::Value& value);

}  // namespace berth::yaml
