// The filters in front of the HTTPS endpoints: authentication, then authorization, then the handler. Sources:
// k8s.io/kubernetes cmd/kube-scheduler/app/server.go (buildHandlerChain); k8s.io/apiserver pkg/endpoints/filters
// (authentication.go, authorization.go, cachecontrol.go). Thread: any, concurrently. Ownership: authentication and
// authorization outlive it.
//
//   access::Filter filter(delegation.authentication(), delegation.authorization(), handler);
//   filter.IsPrompt(request) && endpoints.IsHealth(request.path)   // serve it beside the others
//   filter.Serve(request)
#pragma once

#include <functional>
#include <optional>

#include "client/http/incoming.h"
#include "cluster/access/authentication.h"
#include "cluster/access/authorization.h"
#include "telemetry/metrics/access_metrics.h"

namespace berth::access {

class Filter {
 public:
  // Gets the request without the credentials.
  using Handler = std::function<http::Answer(const http::Incoming& request)>;

  // metrics: may be null, and outlive the object.
  Filter(const Authentication& authentication, const Authorization& authorization, Handler handler,
         metrics::AccessMetrics* metrics = nullptr)
      : authentication_(authentication),
        authorization_(authorization),
        handler_(std::move(handler)),
        metrics_(metrics) {}

  // May wait for the API server.
  http::Answer Serve(const http::Incoming& request) const;
  // Whether the filters answer, or pass the request on, without waiting for the API server and without verifying a
  // certificate: an always-allowed path without credentials, or answers that the caches keep for another second. It
  // does not say whether the handler is prompt.
  bool IsPrompt(const http::Incoming& request) const;

 private:
  http::Answer Answered(const http::Incoming& request) const;
  AuthenticationResult Authenticated(const http::Incoming& request) const;
  Ruling Authorized(const Attributes& attributes) const;

  const Authentication& authentication_;
  const Authorization& authorization_;
  const Handler handler_;
  metrics::AccessMetrics* const metrics_;
};

}  // namespace berth::access
