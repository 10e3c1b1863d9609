// The threads of cpprestsdk's pool, which all transports share. Everything of theirs that calls back does so on these;
// none may be blocked for long, and no transport may be destroyed on one. (A listener has a thread of its own.)
//
// How to end: destroy listeners, then transports, flush logs, then _exit. The pool cannot be stopped by itself; a
// program that returns from main waits for its threads there, and must have destroyed every transport before.
#pragma once

#include <chrono>
#include <functional>

namespace berth::http {

// How many there are, at least 1. First thing in main, before any transport or listener: the first call, or the first
// transport, settles it (40 if nobody asked), and later calls change nothing.
void InitializeThreads(unsigned n);

// Calls f once, at that time or a little later, on a thread of the pool; never before the return. f must not throw.
void RunAt(std::chrono::steady_clock::time_point when, std::function<void()> f);

}  // namespace berth::http
