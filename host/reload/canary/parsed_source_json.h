// Converts parsed configuration files to JSON and back, to send them to the child process: every value keeps its kind
// and its position in the file. Thread: any; pure.
#pragma once

#include "base/result.h"
#include "codec/json/value.h"
#include "config/configuration/load.h"

namespace berth::canary {

// source: without a fault and without duplicate keys. The coordinator rejects a file with either before it starts a
// child, so neither is sent.
json::Value ToValue(const config::ParsedSource& source);
// The error says that value is not from ToValue.
base::Result<config::ParsedSource> ParsedSourceOf(const json::Value& value);

}  // namespace berth::canary
