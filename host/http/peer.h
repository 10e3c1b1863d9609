// What all connections of one transport share: the options, the parsed URLs, and what the last handshake found wrong.
// Thread: any. Ownership: shared by the transport and by connections that outlive it on the pool's threads; after
// gate.Close() the functions within options are not called any more.
#pragma once

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
       std::shared_ptr<x509_store_st> authorities)
      : options(std::move(given)),
        server(std::move(server_url)),
        proxy(std::move(proxy_url)),
        trust(std::move(authorities)) {}

  const ClientOptions options;
  const Endpoint server;
  const std::optional<Endpoint> proxy;
  const std::shared_ptr<x509_store_st> trust;  // null where nothing is verified
  Gate gate;

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

 private:
  mutable std::mutex mutex_;
  std::string tls_fault_;  // guarded by mutex_
};

}  // namespace berth::http
