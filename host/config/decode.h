// A KubeSchedulerConfiguration document into a completed Configuration: strict decoding, defaults, conversion of old
// versions. Sources: core.md 2.4, 2.5, 3.1, 3.3, 3.4; kube-scheduler/config/{v1,v1beta3,v1beta2}/types.go;
// pkg/scheduler/ apis/config/v1/defaults.go. Thread: any; nothing is kept.
#pragma once

#include "config/args_judge.h"
#include "config/configuration.h"
#include "config/feature_gates.h"
#include "config/issue.h"
#include "json/value.h"

namespace berth::config {

struct DecodeContext {
  ApiVersion version;
  const FeatureGates& gates;
  ArgsJudge& judge;
  Issues& errors;
  Issues& warnings;
};

// root is an object whose apiVersion and kind have been looked at. Fields that are wrong are reported and left at their
// default, so that validation can go on and find the rest.
Configuration DecodeConfiguration(const json::Value& root, const DecodeContext& context);

// One profile, merged with the defaults of the version. named tells whether the file gives it a schedulerName.
Profile DecodeProfile(const json::Value& value, const std::string& path, const DecodeContext& context, bool& named);

std::vector<Extender> DecodeExtenders(const json::Value& list, const std::string& path, Issues& errors);

// What kube-scheduler makes of the extenders before it runs: no timeout becomes 5s, and resources marked
// ignoredByScheduler replace NodeResourcesFit's ignoredResources in every profile (pkg/scheduler/scheduler.go
// buildExtenders).
void ApplyExtenders(Configuration& configuration, Issues& errors);

}  // namespace berth::config
