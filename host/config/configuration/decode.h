// Decodes a KubeSchedulerConfiguration document into a completed Configuration: strict decoding, defaults, conversion
// of old versions. Sources: kube-scheduler/config/{v1,v1beta3,v1beta2}/types.go;
// pkg/scheduler/apis/config/v1/defaults.go and default_plugins.go. Thread: any; nothing is kept.
#pragma once

#include "codec/fields/issue.h"
#include "codec/json/value.h"
#include "config/configuration/args_validator.h"
#include "config/configuration/configuration.h"
#include "config/configuration/feature_gates.h"

namespace berth::config {

struct DecodeContext {
  ApiVersion version;
  const FeatureGates& gates;
  ArgsValidator& args_validator;
  fields::Issues& errors;
  fields::Issues& warnings;
};

// root is an object; the caller has checked its apiVersion and kind. A wrong field is an issue and keeps its default,
// so that validation can continue and find the other mistakes.
Configuration DecodeConfiguration(const json::Value& root, const DecodeContext& context);

// Decodes one profile, merged with the defaults of the version. named: whether the file gives it a schedulerName.
Profile DecodeProfile(const json::Value& value, const std::string& path, const DecodeContext& context, bool& named);

std::vector<Extender> DecodeExtenders(const json::Value& list, const std::string& path, fields::Issues& errors);

// Completes the extenders as kube-scheduler does before it runs (pkg/scheduler/scheduler.go, buildExtenders): a missing
// timeout becomes 5s, and resources marked ignoredByScheduler replace NodeResourcesFit's ignoredResources in every
// profile.
void ApplyExtenders(Configuration& configuration, fields::Issues& errors);

}  // namespace berth::config
