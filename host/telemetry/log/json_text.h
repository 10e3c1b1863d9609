// The parts of a JSON log line, with the bytes that zap writes. Source: go.uber.org/zap/zapcore/json_encoder.go
// (safeAppendStringLike, appendFloat). Thread: any; pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace berth::log {

// A string in quotes. Invalid UTF-8 becomes \ufffd. A text that needs more than `limit` bytes is cut between two
// characters, and a remark with its length follows.
void AppendJsonText(std::string& out, std::string_view text, size_t limit);
// {"name":"test","namespace":"default"} of "default/test", {"name":"node-1"} of "node-1": the type ObjectRef of klog.
void AppendJsonKey(std::string& out, std::string_view key, size_t limit);
// The last element of a list that is cut is a remark.
void AppendJsonList(std::string& out, std::span<const std::string> list, size_t limit);
// All digits and no exponent; "NaN", "+Inf" and "-Inf" in quotes.
void AppendJsonNumber(std::string& out, double number);

}  // namespace berth::log
