// The threads of transports: the I/O thread (io_thread.h) and, for HTTP/1.1, those of cpprestsdk's pool. Transports
// call back on these threads; do not block them for long, and do not destroy a transport on one. (A listener has its
// own threads.)
//
// How to exit: destroy listeners, then transports, flush logs, then _exit. The pool cannot be stopped; a program that
// returns from main waits for its threads there, and must have destroyed every transport before.
#pragma once

#include <chrono>
#include <functional>

namespace berth::http {

// Sets the number of threads of the pool, at least 1 (40 by default). Call it first in main, before any transport or
// listener. The first call fixes the number, and the threads start with the first connection for HTTP/1.1. More threads
// reuse fewer connections, because cpprestsdk gives a connection back after it has passed on the reply.
void InitializeThreads(unsigned n);
// Starts the threads of the pool, once.
void StartPool();

// Calls f once, at that time or a little later, on the I/O thread; never before this function returns. f must not
// throw.
void RunAt(std::chrono::steady_clock::time_point when, std::function<void()> f);

}  // namespace berth::http
