// Where log lines go. Source: the options --log-text-split-stream, --log-json-split-stream and the buffer sizes of
// k8s.io/component-base/logs/api/v1. Thread: values.
#pragma once

#include <chrono>
#include <cstddef>

namespace berth::log {

struct Streams {
  bool split = false;  // info lines go to standard output, all others to standard error
  // With split and WriteInBackground: how many bytes of info lines may be held back, at most 64 MiB, and for how long.
  size_t info_buffer = 0;
  std::chrono::nanoseconds flush_frequency{std::chrono::seconds(5)};
};

}  // namespace berth::log
