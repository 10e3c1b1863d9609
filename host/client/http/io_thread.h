// The thread that owns the HTTP/2 connections of all transports and runs timers. It starts with its first task. Its
// tasks must not block longer than the pauses of read_pacer.h and must not throw; they may destroy no transport.
// Thread: any.
#pragma once

#include <functional>

namespace boost::asio {
class io_context;
}

namespace berth::http {

// The loop that the thread runs. It outlives every transport.
boost::asio::io_context& IoContext();

// Runs a task later on the I/O thread. Thread: any.
void PostToIo(std::function<void()> task);

// Runs a task that may block: at once, or later on another thread if this is the I/O thread. Thread: any.
void RunOffIoThread(std::function<void()> task);

// Runs a lookup of a host name later on the resolver thread, one after the other. False: the system gives no thread.
[[nodiscard]] bool RunOnResolverThread(std::function<void()> lookup);

}  // namespace berth::http
