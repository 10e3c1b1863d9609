// The output of log lines: standard error and standard output, directly or through queues (WriteInBackground), and
// listeners. Thread: any.
// A child process after fork() writes directly; its parent's queue stays with the parent.
#pragma once

#include <string_view>

#include "telemetry/log/streams.h"

namespace berth::log {

// Receives lines one at a time, under a lock, so it must not log.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void OnLine(std::string_view line) = 0;
};

// Applies to the following lines, and to WriteInBackground.
void SetStreams(const Streams& streams);

// line: without its newline. info: it goes to standard output if the streams are split.
void WriteLine(std::string_view line, bool info);

void AddListener(Listener& listener);
void RemoveListener(Listener& listener);

}  // namespace berth::log
