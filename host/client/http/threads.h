// The threads of cpprestsdk's pool, which all transports share. Transports call back on these threads; do not block
// them for long, and do not destroy a transport on one. (A listener has its own threads.)
//
// How to exit: destroy listeners, then transports, flush logs, then _exit. The pool cannot be stopped; a program that
// returns from main waits for its threads there, and must have destroyed every transport before.
#pragma once

#include <chrono>
#include <functional>

namespace berth::http {

// Sets the number of threads, at least 1. Call it first in main, before any transport or listener: the first call or
// the first transport fixes the number (40 by default), and later calls have no effect.
void InitializeThreads(unsigned n);

// Calls f once, at that time or a little later, on a thread of the pool; never before this function returns. f must not
// throw.
void RunAt(std::chrono::steady_clock::time_point when, std::function<void()> f);

}  // namespace berth::http
