// The field tracing of BerthConfiguration. Thread: any; pure.
#pragma once

#include "codec/fields/issue.h"
#include "codec/json/value.h"
#include "config/configuration/berth_configuration.h"

namespace berth::config {

// Source of the rules: ValidateTracingConfiguration in k8s.io/component-base/tracing/api/v1/config.go. The schemes
// differ, because Berth speaks OTLP over HTTP and not over gRPC.
TracingRules DecodeTracing(const json::Value& value, fields::Issues& issues);

}  // namespace berth::config
