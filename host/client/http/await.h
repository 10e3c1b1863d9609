// What a coroutine waits for: a reply, a stream, time, or a task on another thread. Thread: each must be awaited on the
// I/O thread, which also continues the coroutine. Ownership: references must live until the wait is over.
#pragma once

#include <chrono>
#include <stop_token>

#include "base/async.h"
#include "base/task_threads.h"
#include "client/http/transport.h"

namespace berth::http {

base::Async<Reply> SendAsync(Transport& transport, Request request);
// As Transport::OpenStream.
base::Async<Reply> StreamAsync(Transport& transport, Request request, BodySink& sink, std::stop_token stop);
// Ends when the bell rings, after that time, or when stop is requested. The bell may ring by this.
base::Async<void> RungWithin(std::shared_ptr<base::Bell> bell, std::chrono::nanoseconds time, std::stop_token stop);
// Ends after that time, or when stop is requested.
base::Async<void> PauseAsync(std::chrono::nanoseconds time, std::stop_token stop);
// Ends when the task has run on one of the threads. false: there is no thread, and the task has not run.
base::Async<bool> RunAsync(base::TaskThreads& threads, std::function<void()> task);

// Begins the work on the I/O thread. Any thread.
void StartOnIo(std::function<base::Async<void>()> work);

}  // namespace berth::http
