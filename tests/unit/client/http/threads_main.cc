// Fewer threads than the tests' streams and servers, as in the daemon. It runs before main, so before any transport.
#include "client/http/threads.h"

namespace {
const bool g_initialized = [] {
  berth::http::InitializeThreads(4);
  berth::http::InitializeThreads(9);  // changes nothing and does no harm
  return true;
}();
}  // namespace
