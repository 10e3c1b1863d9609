#include "client/http/resolve.h"

#include <boost/asio/io_context.hpp>

#include "base/task_threads.h"
#include "client/http/io_thread.h"

namespace berth::http {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

// Destroyed before the I/O thread, which is older.
base::TaskThreads& ResolverThreads() {
  static base::TaskThreads threads{{.name = "resolver"}};
  return threads;
}

// done is destroyed on the I/O thread, too.
void ResolveNow(const std::string& host, uint16_t port, Resolved done) {
  error_code error;
  tcp::resolver resolver(IoContext());
  const auto found = resolver.resolve(host, std::to_string(port), error);
  PostToIo([done = std::move(done), error, endpoints = std::vector<tcp::endpoint>(found.begin(), found.end())] {
    done(error, endpoints);
  });
}

}  // namespace

void Resolve(const std::string& host, uint16_t port, Resolved done) {
  error_code no_address;
  const auto address = boost::asio::ip::make_address(host, no_address);
  if (!no_address) return PostToIo([done = std::move(done), to = tcp::endpoint(address, port)] { done({}, {to}); });
  std::function<void()> task = [host, port, done = std::move(done)]() mutable {
    ResolveNow(host, port, std::move(done));
  };
  const auto posted = ResolverThreads().Post(std::move(task));
  // NOLINTNEXTLINE(bugprone-use-after-move): Post leaves to the caller what it does not queue
  if (posted != base::TaskThreads::Posted::kQueued) task();
}

}  // namespace berth::http
