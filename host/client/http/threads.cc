#include "client/http/threads.h"

#include <utility>  // missing in Boost.Asio 1.74
//
#include <pplx/threadpool.h>

#include <algorithm>
#include <boost/asio/ssl/detail/openssl_types.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <memory>

#include "base/thread_name.h"

namespace berth::http {

void InitializeThreads(unsigned n) {
  // Otherwise OpenSSL frees its data at exit while the pool, which ends later, still uses it.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);
  const base::NameOfStartedThreads name("http-client");
  try {
    crossplat::threadpool::initialize_with_threads(std::max(n, 1U));
  } catch (const std::exception&) {  // the pool exists already
  }
}

void RunAt(std::chrono::steady_clock::time_point when, std::function<void()> f) {
  auto timer = std::make_shared<boost::asio::steady_timer>(crossplat::threadpool::shared_instance().service(), when);
  timer->async_wait([timer, f = std::move(f)](const boost::system::error_code&) { f(); });
}

}  // namespace berth::http
