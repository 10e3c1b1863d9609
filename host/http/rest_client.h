// The transport over cpprestsdk. One per server: it keeps connections, one lot for Send and one for Stream, whose
// patience differs. Thread: made and destroyed on any thread but the pool's own (threads.h); see transport.h for the
// rest. Ownership: the caller's; what the functions within options refer to must live as long.
#pragma once

#include <memory>

#include "base/result.h"
#include "http/tls_options.h"
#include "http/transport.h"

namespace berth::http {

// Connects to nothing yet. Fails on a URL, CA bundle or limit that can never work, and on an IPv6 server behind a
// proxy, which cpprestsdk cannot ask for. The client's certificate is looked at when a connection is made.
base::Result<std::unique_ptr<Transport>> MakeRestClient(ClientOptions options);

}  // namespace berth::http
