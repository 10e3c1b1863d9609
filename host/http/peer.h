// What all connections with the same options share: the options, the parsed URLs, and what the last handshake found
// wrong. Thread: any. Ownership: shared by the transport and by connections that outlive it on the pool's threads;
// after gate->Close() the functions within options are not called any more.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "http/endpoint.h"
#include "http/gate.h"
#include "http/tls_options.h"

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
  const std::shared_ptr<x509_store_st> trust;  // null where nothing is verified
  const std::shared_ptr<Gate> gate;            // of the transport, whose peers follow each other

  // Whom the certificate must name.
  const std::string& VerifiedName() const {
    return options.tls.server_name.empty() ? server.host : options.tls.server_name;
  }

  // Why the certificate of the last connection was refused: OpenSSL tells it apart from the request that fails of it.
  void NoteTlsFault(std::string fault) {
    std::lock_guard lock(mutex_);
    tls_fault_ = std::move(fault);
  }
  std::string TlsFault() const {
    std::lock_guard lock(mutex_);
    return tls_fault_;
  }

  // A connection of this peer has a client certificate.
  void NoteCertificateShown() { certificate_shown_.store(true, std::memory_order_relaxed); }
  bool has_shown_certificate() const { return certificate_shown_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> certificate_shown_ = false;
  mutable std::mutex mutex_;
  std::string tls_fault_;  // guarded by mutex_
};

}  // namespace berth::http
