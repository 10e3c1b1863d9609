// Makes a memfd read-only until it is closed. Caller: staging, one thread at a time. Owns nothing.
#pragma once

#include <chrono>

namespace berth::loader {

// The kernel refuses with EBUSY while something else holds a page of the file, even for the moment in which it moves or
// reclaims memory (mm/memfd.c, memfd_wait_for_pins). Tries again at growing intervals until timeout (milliseconds) is
// over; every other error is final. Returns 0, or the errno of the last attempt.
int SealMemfd(int fd, std::chrono::milliseconds timeout);

}  // namespace berth::loader
