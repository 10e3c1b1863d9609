// The meaning of a YAML scalar in Go's sigs.k8s.io/yaml 1.6 (go.yaml.in/yaml/v2 resolve.go), so that Berth and
// kube-scheduler read a file in the same way. Thread: any; pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "codec/json/value.h"

namespace berth::yaml {

// A plain (unquoted, untagged) scalar: null, bool, int, double or string. y/yes/on are true, 014 is 12, 0o14 is 12,
// 0x1F is 31, 1_000 is 1000, 1.0 and 1e3 are ints (as JSON sees them), 12:30 and dates are strings. .inf and .nan are
// doubles.
json::Value PlainScalar(std::string_view text);

// A scalar with an explicit tag in the long form "tag:yaml.org,2002:int". Tags that are not YAML's own yield a string.
// Error: "cannot decode !!str `x` as a !!int".
base::Result<json::Value> TaggedScalar(const std::string& tag, const std::string& text);

// The member name in JSON of a scalar key ("5", "true"); empty for null, which is not a valid key.
std::string KeyText(const json::Value& scalar);

// True when YAML 1.1 readers also read the plain text as a string: such text needs no quotes.
bool StaysString(std::string_view text);

}  // namespace berth::yaml
