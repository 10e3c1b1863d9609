// The transport over HTTP/2 or HTTP/1.1. One per server. With HTTP/1.1 it keeps separate connections for Send and for
// Stream, with different timeouts. Thread: made and destroyed on any thread except those of the pool (threads.h); see
// transport.h for the rest. Ownership: the caller's; objects that the functions in options use must live as long.
#pragma once

#include <memory>

#include "base/result.h"
#include "client/http/request_observer.h"
#include "client/http/tls_options.h"
#include "client/http/transport.h"

namespace berth::http {

class RestClient : public Transport {
 public:
  // Replaces the options except for the limits: later requests use new connections. Sends in flight are answered over
  // the old ones; streams end with an error. Fails without any change for options that MakeRestClient rejects, for the
  // URL of another server, and for a client certificate that does not match its key. Any thread except those of the
  // pool.
  virtual base::Result<void> Renew(ClientOptions options) = 0;
};

// Does not connect yet. Fails for a URL, CA bundle or limit that cannot work, and for an IPv6 server behind a proxy,
// which cpprestsdk does not support. The client certificate is checked when a connection is made.
base::Result<std::unique_ptr<RestClient>> MakeRestClient(ClientOptions options, const Instruments& instruments = {});

}  // namespace berth::http
