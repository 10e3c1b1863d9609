// Takes from a memfd for ever that it may be written to. Called while staging, by one thread at a time; owns nothing.
#pragma once

#include <chrono>

namespace berth::loader {

// The kernel refuses with EBUSY while anything else holds one of the file's pages, be it only for the moment in which
// memory is moved about or reclaimed (mm/memfd.c, memfd_wait_for_pins). Asks again, ever more rarely, for as long as
// patience (milliseconds) lasts; every other refusal is final. Returns 0, or the errno of the last refusal.
int SealMemfd(int fd, std::chrono::milliseconds patience);

}  // namespace berth::loader
