// The thread that owns the HTTP/2 connections of all transports and runs timers. It starts with its first task. Its
// tasks must not block for long and must not throw; they may destroy no transport. Thread: any.
#pragma once

namespace boost::asio {
class io_context;
}

namespace berth::http {

// The loop that the thread runs. It outlives every transport.
boost::asio::io_context& IoContext();

}  // namespace berth::http
