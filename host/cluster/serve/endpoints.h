// The daemon's HTTP requests and answers, without sockets: Get is the handler of http::Listener.
//
//   Endpoints endpoints({.readyz = {{"shutdown", ...}, {"sched-handler-sync", ...}}}, registry);
//   endpoints.routes().Add({.path = "/flagz", .handler = ...});  // before the first request
//   endpoints.Get(request);
//   endpoints.SetPlugins(...);   // at every publication
//
// Thread: any, concurrently, except routes(). Only /metrics/resources waits for the scheduling thread: all other texts
// are prepared before the request. Ownership: the registry must outlive the object.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_annotations.h"
#include "client/http/incoming.h"
#include "cluster/serve/health.h"
#include "cluster/serve/plugin_list.h"
#include "cluster/serve/routes.h"
#include "codec/json/value.h"
#include "telemetry/metrics/health_metrics.h"
#include "telemetry/metrics/registry.h"

namespace berth::serve {

// None = ping.
struct Checks {
  std::vector<Check> healthz, livez, readyz;
};

// What is served beside /metrics; all of it may be absent. Ownership: outlives the endpoints.
struct MoreMetrics {
  metrics::HealthMetrics* health = nullptr;  // receives the result of each check
  const metrics::Registry* slis = nullptr;   // /metrics/slis
  std::function<http::Answer()> resources;   // /metrics/resources; waits for the scheduling thread at most some seconds
};

enum class PageSet : uint8_t {
  kScheduler,
  kBasic,  // health and metrics alone
};

class Endpoints {
 public:
  Endpoints(Checks checks, const metrics::Registry& registry, MoreMetrics more = {},
            PageSet pages = PageSet::kScheduler);
  Endpoints(const Endpoints&) = delete;

  // The content of /configz: the effective v1 KubeSchedulerConfiguration, with apiVersion and kind. "{}" before the
  // first call.
  void SetConfiguration(const json::Value& configuration);
  // The content of /admin/v1/plugins. Empty before the first call.
  void SetPlugins(const std::vector<PluginEntry>& plugins);

  //   /healthz /livez /readyz and /healthz/<check>...   as kube-scheduler's, see Health
  //   /metrics             Prometheus' text
  //   /metrics/slis        the results of health checks
  //   /metrics/resources   requests and limits of pods
  //   /configz             {"componentconfig":{...}}; of a scheduler
  //   /admin/v1/plugins    see PluginListJson; of a scheduler
  //   and the paths that were added to routes()
  // Everything else: 404 and a line of plain text. All answers forbid caches, as k8s.io/apiserver
  // pkg/endpoints/filters/cachecontrol.go.
  http::Answer Get(const http::Incoming& request) const;
  Routes& routes() { return routes_; }
  // Whether the path is a health check, whose answer is small and does not wait. Path as in http::Incoming.
  bool IsHealth(std::string_view path) const;

 private:
  // A text that one thread replaces while others read it.
  class Ready {
   public:
    explicit Ready(std::string text) { Set(std::move(text)); }
    void Set(std::string text);
    std::shared_ptr<const std::string> Get() const;

   private:
    mutable base::Mutex mutex_;
    std::shared_ptr<const std::string> text_ GUARDED_BY(mutex_);
  };

  void AddHealth(const Health& health);
  void AddMetrics(const metrics::Registry& registry, MoreMetrics more);
  void AddSchedulerPages();

  const std::vector<Health> health_;
  Ready configz_{"{}"};
  Ready plugins_{PluginListJson({})};
  Routes routes_;  // last: its handlers use the others
};

}  // namespace berth::serve
