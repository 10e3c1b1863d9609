// Args of the in-tree plugins that have an args type: strict decoding, the defaults of 1.36, and the output of Go's
// encoder. Source: pkg/scheduler/apis/config/v1/defaults.go. Thread: any; pure functions.
#pragma once

#include <string>
#include <string_view>

#include "codec/fields/issue.h"
#include "codec/json/value.h"
#include "config/configuration/configuration.h"
#include "config/configuration/feature_gates.h"

namespace berth::config {

// Decodes what a user wrote for such a plugin (HasArgsType). The result has only known fields of the right type,
// durations as Go prints them, and neither apiVersion nor kind. given may be null. Issues have paths below path.
json::Value DecodeArgs(std::string_view plugin, const json::Value& given, const std::string& path,
                       fields::Issues& issues);

// Sets the defaults of absent fields. The defaults of v1beta2 and v1beta3 are those of v1.
void DefaultArgs(std::string_view plugin, json::Value& args, const FeatureGates& gates);

// As the encoder of that version writes it: apiVersion, kind, and fields by the rules of the schema. Accepts its own
// output.
json::Value EncodeArgs(std::string_view plugin, const json::Value& args, ApiVersion version);

}  // namespace berth::config
