#include "client/http/resolve.h"

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>

#include "client/http/io_thread.h"

namespace berth::http {
namespace {

using boost::system::error_code;
using Endpoints = std::vector<boost::asio::ip::tcp::endpoint>;

void Return(Resolved done, const error_code& error, Endpoints endpoints) {
  PostToIo([done = std::move(done), error, endpoints = std::move(endpoints)] { done(error, endpoints); });
}

// On the resolver thread. `done` ends on the I/O thread, which owns what it holds.
void LookUp(const std::string& host, uint16_t port, const std::stop_token& stop, Resolved done) {
  if (stop.stop_requested()) return PostToIo([done = std::move(done)] {});
  error_code error;
  boost::asio::ip::tcp::resolver resolver(IoContext());
  const auto found = resolver.resolve(host, std::to_string(port), error);
  Return(std::move(done), error, Endpoints(found.begin(), found.end()));
}

}  // namespace

void Resolve(const std::string& host, uint16_t port, std::stop_token stop, Resolved done) {
  error_code no_address;
  const auto address = boost::asio::ip::make_address(host, no_address);
  if (!no_address) return Return(std::move(done), {}, {{address, port}});
  const bool runs =
      RunOnResolverThread([host, port, stop, done]() mutable { LookUp(host, port, stop, std::move(done)); });
  if (!runs) Return(std::move(done), boost::asio::error::host_not_found_try_again, {});
}

}  // namespace berth::http
