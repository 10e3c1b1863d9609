// The options of connections: addresses, TLS and credentials. Thread: a value. Transport threads call the functions
// once per connection or request; they must be fast, must not block, and must be callable from several threads at once.
// They are not called after the destructor of the transport has returned.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"

namespace berth::http {

struct TlsOptions {
  bool insecure = false;    // do not verify the server
  std::string ca_pem;       // bundle, trusted instead of the system's; empty = the system's
  std::string server_name;  // verified (and sent as SNI and Host) in place of the URL's host; empty = that host
  // The client's certificate chain and key as PEM, or two empty texts. Called for each new connection. Unset: none.
  struct Identity {
    std::string certificate_pem, key_pem;
  };
  std::function<base::Result<Identity>()> identity;
  // A number that changes when the result of identity changes; called for each request. Connections made before a
  // change are not used for later requests, and streams over them end. Unset: it never changes.
  std::function<uint64_t()> identity_version;
};

struct ClientOptions {
  std::string url;  // "https://127.0.0.1:6443" or with a path prefix; IPv6 hosts in brackets; no user, no query
  TlsOptions tls;
  std::string proxy_url;  // "http://[user:password@]host:port", as Go's http.Transport takes it; "" = none
  // Whether authorization and identity have a result, which may be an error. false: not yet; requests wait, and `later`
  // is called once when a new call may succeed, on any thread, never before the return. Called before each request,
  // under locks of the transport. Unset: always true.
  std::function<bool(std::function<void()> later)> ready;
  // The value of the Authorization header per request ("Bearer ..."), or ""; unset: none. Never logged, nor part of an
  // error. The message of its Error is passed on unchanged.
  std::function<base::Result<std::string>()> authorization;
  // The server answered 401: authorization and identity should renew their credentials. Called for each such reply,
  // before the reply is delivered; must be as fast as they are. Unset: no action.
  std::function<void()> unauthorized;
  // Whether HTTP/2 is used with a server that offers it. HTTP/1.1 is always used without TLS, and through a proxy.
  bool http2 = true;
  std::string user_agent = "berth";
  std::chrono::milliseconds timeout{30'000};       // without traffic in either direction, for Send; > 0
  std::chrono::milliseconds idle_timeout{90'000};  // without traffic in either direction, for Stream; > 0
  // With HTTP/2: how long the server may send nothing before a ping, which it must answer in half of that time; and how
  // long a connection without a request stays open. Source: k8s.io/apimachinery/pkg/util/net/http.go
  // (readIdleTimeoutSeconds, pingTimeoutSeconds, SetTransportDefaults).
  std::chrono::milliseconds ping_after{30'000}, keep_idle{90'000};
  size_t max_body_bytes = size_t{256} << 20;  // of a reply; more is an error. Streamed bodies have no limit.
  // The highest number of parallel sends, which is also the number of connections that they open with HTTP/1.1; other
  // sends wait. > 0. Streams do not count.
  size_t max_parallel_sends = 64;
  // With HTTP/1.1, this many sends start at once. A further one, which may need a new connection (some 100 KiB, kept
  // for a minute), starts only when the first in the queue has waited for `widen_after`, and the next one `widen_after`
  // later: the open connections finish a short burst sooner.
  size_t eager_parallel_sends = 8;
  std::chrono::milliseconds widen_after{20};  // 0: sends wait only for max_parallel_sends
};

}  // namespace berth::http
