// A library asked everything that there are rules for: first what its file says, then whether it can be loaded, then
// rule after rule in a child process each, so that nothing it does can end this one. Callers: `berthctl plugin
// validate` and tests. Thread: main of a process that has no other threads. Ownership: values.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "json/value.h"
#include "validate/report.h"

namespace berth::validate {

struct Options {
  std::string path;
  // Of the plugin; where a library has several, an object by name. null, and names that are not there: the sample args
  // of the library's note, if it has any.
  json::Value args;
  int64_t fuzz_seconds = 0;
  uint64_t seed = 1;
  int only = 0;  // the number of the one rule to ask, beside those it needs; 0: all
};

Report Validate(const Options& options);

}  // namespace berth::validate
