// How a connection is made and who is at its ends. Thread: a value; the functions are called on transport threads, once
// per connection or request, and must be fast, must not block and must be callable from several threads at once. After
// the transport's destructor has returned they are not called any more.
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
  // The client's certificate chain and key as PEM, or two empty texts. Asked at each new connection. Unset: none.
  struct Identity {
    std::string certificate_pem, key_pem;
  };
  std::function<base::Result<Identity>()> identity;
  // Another number each time that what identity answers has changed; asked with each request. Connections made before a
  // change are not used for later requests, and streams over them end. Unset: it never changes.
  std::function<uint64_t()> identity_version;
};

struct ClientOptions {
  std::string url;  // "https://127.0.0.1:6443" or with a path prefix; IPv6 hosts in brackets; no user, no query
  TlsOptions tls;
  std::string proxy_url;  // "http://[user:password@]host:port", as Go's http.Transport takes it; "" = none
  // Whether authorization and identity can be asked, be it that they have nothing but an error to tell. false: not yet;
  // requests wait, and later is called once when it is worth asking again, on any thread, never before the return.
  // Asked before each request, under locks of the transport. Unset: always.
  std::function<bool(std::function<void()> later)> ready;
  // Value of the Authorization header per request ("Bearer ..."), or ""; unset: none. Never logged, nor part of an
  // error. What an Error of its own says is passed on as it stands.
  std::function<base::Result<std::string>()> authorization;
  // The server did not accept who we said we are (401): what authorization and identity keep should be had anew. Called
  // with each such reply, before it is handed on; must be as quick as they are. Unset: nothing to be done.
  std::function<void()> unauthorized;
  std::string user_agent = "berth";
  std::chrono::milliseconds timeout{30'000};       // without a byte either way, for Send; > 0
  std::chrono::milliseconds idle_timeout{90'000};  // without a byte either way, for Stream; > 0
  size_t max_body_bytes = size_t{256} << 20;       // of a reply; more is an error. Streamed bodies have no limit.
  // Sends at a time, which is also how many connections they open; the others wait their turn. > 0. Streams count
  // apart.
  size_t max_parallel_sends = 64;
  // As many start at once. A further one, which may need a further connection (some 100 KiB, kept for a minute), starts
  // only when the first in the line has waited for `patience`, and then one at a time, as far apart: a short burst is
  // sooner done by those that are open.
  size_t eager_parallel_sends = 8;
  std::chrono::milliseconds patience{20};  // 0: nobody waits for anything but max_parallel_sends
};

}  // namespace berth::http
