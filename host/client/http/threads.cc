#include "client/http/threads.h"

#include <utility>  // missing in Boost.Asio 1.74
//
#include <pplx/threadpool.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/detail/openssl_types.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <memory>
#include <mutex>

#include "base/thread_name.h"
#include "client/http/io_thread.h"

namespace berth::http {
namespace {

std::atomic<unsigned> pool_threads = 0;  // 0: as many as cpprestsdk takes

}  // namespace

void InitializeThreads(unsigned n) {
  // Otherwise OpenSSL frees its data at exit while threads that end later still use it.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);
  unsigned none = 0;
  pool_threads.compare_exchange_strong(none, std::max(n, 1U));
}

void StartPool() {
  static std::once_flag once;
  if (pool_threads == 0) return;
  std::call_once(once, [] {
    const base::NameOfStartedThreads name("http-client");
    try {
      crossplat::threadpool::initialize_with_threads(pool_threads);
    } catch (const std::exception&) {  // the pool exists already
    }
  });
}

void RunAt(std::chrono::steady_clock::time_point when, std::function<void()> f) {
  auto timer = std::make_shared<boost::asio::steady_timer>(IoContext(), when);
  timer->async_wait([timer, f = std::move(f)](const boost::system::error_code&) { f(); });
}

}  // namespace berth::http
