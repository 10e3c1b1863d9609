// The transport over cpprestsdk. One per server: it keeps connections, one lot for Send and one for Stream, whose
// patience differs. Thread: made and destroyed on any thread but the pool's own (threads.h); see transport.h for the
// rest. Ownership: the caller's; what the functions within options refer to must live as long.
#pragma once

#include <memory>

#include "base/result.h"
#include "http/tls_options.h"
#include "http/transport.h"

namespace berth::http {

class RestClient : public Transport {
 public:
  // Goes on with these options, except for limits, which stay: requests that start from now on use new connections.
  // Sends under way are answered over the old ones; streams end with an error. Fails, and changes nothing, on what
  // MakeRestClient refuses, on another server's URL, and on a client certificate that does not go with its key. Any
  // thread but the pool's.
  virtual base::Result<void> Renew(ClientOptions options) = 0;
};

// Connects to nothing yet. Fails on a URL, CA bundle or limit that can never work, and on an IPv6 server behind a
// proxy, which cpprestsdk cannot ask for. The client's certificate is looked at when a connection is made.
base::Result<std::unique_ptr<RestClient>> MakeRestClient(ClientOptions options);

}  // namespace berth::http
