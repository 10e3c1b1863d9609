// What the scheduler hands to the child process that tries a candidate: one JSON document on its standard input.
// Thread: any. Ownership: a value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "canary/sample.h"
#include "config/load.h"

namespace berth::canary {

struct Question {
  std::vector<config::Source> sources;
  std::vector<std::string> plugin_directories;
  std::string feature_gates;  // as --feature-gates
  std::string staging_directory;
  std::vector<std::string> hidden;  // see CanaryOptions
  int64_t parent = 0;               // process id: a child whose parent is another one has been left alone
  Sample sample;
};

std::string ToJson(const Question& question);
base::Result<Question> QuestionOf(std::string_view json);

}  // namespace berth::canary
