// What berth-controllers serves: health and metrics, over HTTPS for clients that may read them, and by plain HTTP on
// upstream's two addresses. Thread: main; the listeners' threads answer. Ownership: what is passed in outlives it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/http/listener.h"
#include "cluster/election/participant.h"
#include "cluster/secure_port/secure_port.h"
#include "cluster/serve/endpoints.h"
#include "cmd/berth-controllers/controller_options.h"
#include "controllers/reconcile/manager.h"
#include "telemetry/metrics/access_metrics.h"
#include "telemetry/metrics/health_metrics.h"
#include "telemetry/metrics/registry.h"

namespace berth {

class ControllerPages {
 public:
  // participant: null without leader election.
  ControllerPages(const reconcile::Manager& manager, const election::Participant* participant,
                  metrics::Registry& registry);

  // Begins to serve on all addresses of the options. May wait some seconds for the API server.
  base::Result<void> Listen(const ControllerOptions& options);

 private:
  bool IsPrompt(const http::Incoming& request) const { return endpoints_.IsHealth(request.path); }
  base::Result<void> ListenPlainly(const std::string& address, const std::string& what, bool health);

  metrics::Registry slis_;
  metrics::HealthMetrics health_{slis_};
  metrics::AccessMetrics access_;
  serve::Endpoints endpoints_;
  std::vector<std::unique_ptr<http::Listener>> plain_;  // destroyed before the endpoints
  std::unique_ptr<secure_port::SecurePort> secure_;     // null: --secure-port=0
};

}  // namespace berth
