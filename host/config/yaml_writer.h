// Writes a value as YAML byte for byte as sigs.k8s.io/yaml 1.6 does (go.yaml.in/yaml/v2 encode.go, emitterc.go,
// sorter.go): keys sorted with numbers by value, lists not indented below their key, its choice of quotes, lines folded
// behind column 80. Thread: any.
#pragma once

#include <string>

#include "json/value.h"

namespace berth::config {

// Ends with a line feed.
std::string WriteYaml(const json::Value& value);

}  // namespace berth::config
