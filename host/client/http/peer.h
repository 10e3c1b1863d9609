// The data that all connections with the same options share: the options, the parsed URLs, and the fault of the last
// TLS handshake. Thread: any. Ownership: shared by the transport and by connections that outlive it on the threads of
// the transport; after gate->Close() the functions in options are not called any more.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/thread_annotations.h"
#include "client/http/endpoint.h"
#include "client/http/gate.h"
#include "client/http/tls_options.h"

struct x509_store_st;  // OpenSSL's X509_STORE

namespace berth::http {

class Peer {
 public:
  Peer(ClientOptions given, Endpoint server_url, std::optional<Endpoint> proxy_url,
       std::shared_ptr<x509_store_st> authorities, std::shared_ptr<Gate> transport_gate)
      : options(std::move(given)),
        server(std::move(server_url)),
        proxy(std::move(proxy_url)),
        trust(std::move(authorities)),
        gate(std::move(transport_gate)) {}

  const ClientOptions options;
  const Endpoint server;
  const std::optional<Endpoint> proxy;
  const std::shared_ptr<x509_store_st> trust;  // null when nothing is verified
  const std::shared_ptr<Gate> gate;            // of the transport, which replaces its peer from time to time

  // The name that the server certificate must contain.
  const std::string& VerifiedName() const {
    return options.tls.server_name.empty() ? server.host : options.tls.server_name;
  }

  // Why the last certificate was rejected: OpenSSL reports it separately from the failed request.
  void NoteTlsFault(std::string fault) {
    base::MutexLock lock(mutex_);
    tls_fault_ = std::move(fault);
  }
  std::string TlsFault() const {
    base::MutexLock lock(mutex_);
    return tls_fault_;
  }

  // A connection of this peer has a client certificate.
  void NoteCertificateShown() { certificate_shown_.store(true, std::memory_order_relaxed); }
  bool has_shown_certificate() const { return certificate_shown_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> certificate_shown_ = false;
  mutable base::Mutex mutex_;
  std::string tls_fault_ GUARDED_BY(mutex_);
};

}  // namespace berth::http
