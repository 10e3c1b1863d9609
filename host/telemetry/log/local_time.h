// Calendar time in the time zone of the process, without glibc's lock. Thread: any; also in a child after fork().
#pragma once

#include <cstdint>

namespace berth::log {

struct LocalTime {
  int year;
  unsigned month, day;  // from 1
  int hour, minute, second;
};

LocalTime LocalTimeOf(int64_t unix_seconds);

}  // namespace berth::log
