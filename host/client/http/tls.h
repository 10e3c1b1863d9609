// The TLS of a connection: trusted CAs, the client's identity, and the meaning of OpenSSL's errors. Thread: any.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "base/result.h"
#include "client/http/peer.h"

namespace boost::asio::ssl {
class context;
}

namespace berth::http {

// A connection was not tried, because the client certificate is missing or broken. Contains no key.
struct SetupFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The CAs of the options, parsed once for all connections. The error says what is wrong with ca_pem.
base::Result<std::shared_ptr<x509_store_st>> LoadTrust(const TlsOptions& options);

// Whether OpenSSL can use the client's certificate and key. An error of options.tls.identity is no error here.
base::Result<void> CheckIdentity(const Peer& peer);

// Prepares context for a new connection of peer. Calls options.tls.identity. Throws SetupFault. context must not
// outlive peer.
void PrepareTls(boost::asio::ssl::context& context, Peer& peer);

// While such an object lives, new connections of this thread do not read the system's CAs, which takes cpprestsdk 50 ms
// each and which PrepareTls discards.
class WithoutSystemTrust {
 public:
  WithoutSystemTrust();
  ~WithoutSystemTrust();
  WithoutSystemTrust(const WithoutSystemTrust&) = delete;
};

// "certificate verify failed" for a code that cpprestsdk returns as a number; empty when it is not a code of OpenSSL.
std::string TlsErrorText(int code);

}  // namespace berth::http
