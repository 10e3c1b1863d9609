// Resolves host names on a thread that exists only meanwhile. Asio's own thread for this would stay for good. Thread:
// the I/O thread.
#pragma once

#include <utility>  // missing in Boost.Asio 1.74
//
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace berth::http {

// The error, or at least one endpoint.
using Resolved = std::function<void(const boost::system::error_code&, std::vector<boost::asio::ip::tcp::endpoint>)>;

// Calls done once, later. An IP address needs no thread. Names wait for each other; a caller has its own time limit.
void Resolve(const std::string& host, uint16_t port, Resolved done);

}  // namespace berth::http
