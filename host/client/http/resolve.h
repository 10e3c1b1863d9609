// Resolves host names on the resolver thread (io_thread.h), which ends after 30 seconds without a lookup. Asio's own
// thread for lookups would stay for good. Thread: the I/O thread.
#pragma once

#include <utility>  // missing in Boost.Asio 1.74
//
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace berth::http {

// The error, or at least one endpoint.
using Resolved = std::function<void(const boost::system::error_code&, std::vector<boost::asio::ip::tcp::endpoint>)>;

// Calls done once, later; never if the stop is requested before the lookup begins. Lookups wait for each other, so a
// caller has its own time limit. If the system gives no thread, the lookup fails. An IP address needs no thread.
void Resolve(const std::string& host, uint16_t port, std::stop_token stop, Resolved done);

}  // namespace berth::http
