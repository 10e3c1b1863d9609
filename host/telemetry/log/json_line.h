// A log line as JSON, for --logging-format=json. Source: k8s.io/component-base/logs/json/json.go,
// github.com/go-logr/zapr. Thread: any.
#pragma once

#include <cstdint>
#include <string>

#include "telemetry/log/line.h"

namespace berth::log {

// {"ts":1600000000000.1234,"caller":"engine/engine.cc:47","msg":"...","v":0,"pod":{"name":"...","namespace":"..."}},
// without a newline. unix_ns: the time. An error line has no v, and its pair "err" comes last. A warning is an info
// line with v 0, as klog.Warning writes it. Lines stay below 30,000 bytes: long texts are cut.
std::string JsonText(const Line& line, int64_t unix_ns);

}  // namespace berth::log
