// What the scheduler sends to the child process that tries a candidate: one JSON document on its standard input.
// The child gets the parsed files, not their text and not the configuration that was completed from them. Only the
// libraries can check the args of their plugins, and only the child may load an untried library. It reports an error
// with line and column, which the completed configuration does not have for every value. Thread: any. Ownership: a
// value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/configuration/load.h"
#include "reload/canary/sample.h"

namespace berth::canary {

struct Request {
  std::vector<config::ParsedSource> sources;  // see parsed_source_json.h
  std::vector<std::string> plugin_directories;
  std::string feature_gates;  // as --feature-gates
  std::string staging_directory;
  std::vector<std::string> hidden;  // see CanaryOptions
  int64_t parent = 0;               // process id: if a child has another parent, its real parent has ended
  Sample sample;
};

std::string ToJson(const Request& request);
base::Result<Request> RequestOf(std::string_view json);

}  // namespace berth::canary
