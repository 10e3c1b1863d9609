// HTTPS on --bind-address and --secure-port, as kube-scheduler serves it. The handler answers every request; for
// authentication and authorization, pass a handler that does them.
//
//   auto serving = SecureServing::Start(options.serving, [&](const http::Incoming& request) { return ...; }, {});
//   if (!serving) return Failed(serving.error().message);   // *serving is nullptr for --secure-port=0
//
// Sources: k8s.io/apiserver pkg/server/options/serving.go ApplyTo; pkg/server/secure_serving.go.
// Thread: Start and the destructor on main; the housekeeping thread reads changed certificate files every ten
// seconds.
// Ownership: the caller's; what the handler refers to must live as long.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/housekeeper.h"
#include "base/result.h"
#include "base/thread_annotations.h"
#include "client/http/listener.h"
#include "cluster/secure_serving/certificates.h"
#include "config/options/options.h"

namespace berth::secure_serving {

class SecureServing {
 public:
  // client_cas: see http::ServerTlsOptions. Of the limits, tls, both_families, share_port, and idle_time come from
  // here. Errors are upstream's: "failed to create listener: failed to listen on 0.0.0.0:10259: bind: address already
  // in use", "unknown tls version \"x\"".
  static base::Result<std::unique_ptr<SecureServing>> Start(const options::Serving& serving,
                                                            http::Listener::Handler handler,
                                                            http::ListenerOptions limits,
                                                            http::ClientCas client_cas = {});
  // Waits for running handlers and closes all connections.
  ~SecureServing() = default;
  SecureServing(const SecureServing&) = delete;

  uint16_t port() const { return listener_->port(); }
  // Reads changed certificate files now. Any thread.
  void Poll();

 private:
  SecureServing(Certificates certificates, std::unique_ptr<http::Listener> listener)
      : certificates_(std::move(certificates)), listener_(std::move(listener)) {}

  base::Mutex mutex_;
  Certificates certificates_ GUARDED_BY(mutex_);
  const std::unique_ptr<http::Listener> listener_;
  std::optional<base::PeriodicTask> polls_;  // destroyed first
};

}  // namespace berth::secure_serving
