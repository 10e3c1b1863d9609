#include "http/threads.h"

#include <utility>  // Boost.Asio 1.74 forgets it
//
#include <pplx/threadpool.h>

#include <algorithm>
#include <exception>

namespace berth::http {

void InitializeThreads(unsigned n) {
  try {
    crossplat::threadpool::initialize_with_threads(std::max(n, 1U));
  } catch (const std::exception&) {  // the pool exists already
  }
}

}  // namespace berth::http
