// The TLS of a connection: whom we trust, who we are, and what OpenSSL's refusals mean. Thread: any.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "base/result.h"
#include "http/peer.h"

namespace boost::asio::ssl {
class context;
}

namespace berth::http {

// A connection could not even be tried: the client's certificate is missing or broken. Holds no key.
struct SetupFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The authorities of options, parsed once for all connections. Names what is wrong with ca_pem.
base::Result<std::shared_ptr<x509_store_st>> LoadTrust(const TlsOptions& options);

// Whether OpenSSL can use the client's certificate and key. What the owner of options.tls.identity says is no fault
// here.
base::Result<void> CheckIdentity(const Peer& peer);

// Makes context one for a new connection of peer. Asks options.tls.identity. Throws SetupFault. context may be used as
// long as peer lives.
void PrepareTls(boost::asio::ssl::context& context, Peer& peer);

// While one lives, cpprestsdk's new connections of this thread do not read the system's authorities, 50 ms of work each
// that PrepareTls throws away.
class WithoutSystemTrust {
 public:
  WithoutSystemTrust();
  ~WithoutSystemTrust();
  WithoutSystemTrust(const WithoutSystemTrust&) = delete;
};

// "certificate verify failed" of a code that cpprestsdk passes on as a number; empty when it is none of OpenSSL's.
std::string TlsErrorText(int code);

}  // namespace berth::http
