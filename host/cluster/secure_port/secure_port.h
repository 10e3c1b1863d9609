// Pages over HTTPS on --secure-port, for authenticated and authorized clients. Source: cmd/kube-scheduler/app/server.go
// buildHandlerChain. Thread: main. Ownership: what the pages refer to outlives it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "client/http/incoming.h"
#include "cluster/access/access_filter.h"
#include "cluster/access/clients.h"
#include "cluster/access/delegation.h"
#include "cluster/secure_serving/secure_serving.h"
#include "config/options/options.h"
#include "telemetry/metrics/access_metrics.h"
#include "telemetry/trace/tracer.h"

namespace berth::secure_port {

// The groups of flags that say how to serve, and to whom.
struct Flags {
  const options::Serving& serving;
  const options::Authentication& authentication;
  const options::Authorization& authorization;
  std::string user_agent;  // of reviews
};

// What is served.
struct Pages {
  std::function<http::Answer(const http::Incoming&)> get;
  std::function<bool(const http::Incoming&)> is_prompt;  // http::ListenerOptions::prompt
  std::vector<std::string> methods;                      // that some page takes
};

class SecurePort {
 public:
  struct Instruments {  // of its requests to the API server; they outlive it
    metrics::AccessMetrics& metrics;
    trace::Tracer* tracer;  // may be null
  };
  // May wait some seconds for the API server. nullptr: --secure-port=0.
  static base::Result<std::unique_ptr<SecurePort>> Start(const Flags& flags, Pages pages,
                                                         const Instruments& instruments);
  ~SecurePort();
  SecurePort(const SecurePort&) = delete;

 private:
  SecurePort(Pages pages, const Instruments& instruments) : pages_(std::move(pages)), instruments_(instruments) {}
  base::Result<void> Delegate(const Flags& flags);
  base::Result<void> Serve(const options::Serving& serving);

  const Pages pages_;
  const Instruments instruments_;
  base::RealClock clock_;
  access::Clients clients_;
  std::unique_ptr<access::Delegation> delegation_;
  std::unique_ptr<access::Filter> filter_;
  std::unique_ptr<secure_serving::SecureServing> serving_;  // destroyed first
};

}  // namespace berth::secure_port
