// Args of the in-tree plugins that have an args type: read strictly, completed with 1.36's defaults, written as Go's
// encoder would. Sources: core.md 2.5 and 3.2, pkg/scheduler/apis/config/v1/defaults.go. Thread: any; pure functions.
#pragma once

#include <string>
#include <string_view>

#include "config/configuration.h"
#include "config/feature_gates.h"
#include "config/issue.h"
#include "json/value.h"

namespace berth::config {

// What a user wrote for such a plugin (HasArgsType): only known fields of the right type are left, durations in Go's
// own spelling, apiVersion and kind taken off. given may be null. Issues carry paths below path.
json::Value DecodeArgs(std::string_view plugin, const json::Value& given, const std::string& path, Issues& issues);

// Sets what is not set. The defaults of v1beta2 and v1beta3 are those of v1.
void DefaultArgs(std::string_view plugin, json::Value& args, const FeatureGates& gates);

// As the encoder of that version writes it: apiVersion, kind, and fields by the rules of the schema. Accepts its own
// output.
json::Value EncodeArgs(std::string_view plugin, const json::Value& args, ApiVersion version);

}  // namespace berth::config
