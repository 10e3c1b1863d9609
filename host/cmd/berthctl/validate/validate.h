// Checks a library against all rules: first its file, then whether it can be loaded, then each rule in its own child
// process, so that the library cannot end this process. Callers: `berthctl plugin validate` and tests. Thread: main of
// a process that has no other threads. Ownership: values.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cmd/berthctl/validate/report.h"
#include "codec/json/value.h"

namespace berth::validate {

struct Options {
  std::string path;
  // Of the plugin; if a library has several, an object by name. For null, and for absent names, the sample args of the
  // library's note apply, if it has any.
  json::Value args;
  int64_t fuzz_seconds = 0;
  uint64_t seed = 1;
  int only = 0;  // the number of the only rule to run, with those it needs; 0: all
};

Report Validate(const Options& options);

}  // namespace berth::validate
