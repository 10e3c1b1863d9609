#include "http/threads.h"

#include <utility>  // Boost.Asio 1.74 forgets it
//
#include <pplx/threadpool.h>

#include <algorithm>
#include <boost/asio/ssl/detail/openssl_types.hpp>
#include <exception>

namespace berth::http {

void InitializeThreads(unsigned n) {
  // Else OpenSSL would take itself apart at exit under the feet of the pool, which goes later.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);
  try {
    crossplat::threadpool::initialize_with_threads(std::max(n, 1U));
  } catch (const std::exception&) {  // the pool exists already
  }
}

}  // namespace berth::http
