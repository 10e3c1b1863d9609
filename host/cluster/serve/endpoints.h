// The daemon's HTTP requests and answers, without sockets: Get is the handler of http::Listener.
//
//   Endpoints endpoints({.readyz = {{"shutdown", ...}, {"sched-handler-sync", ...}}}, registry);
//   auto listener = http::Listener::Start(address, [&](auto path, auto query) { return endpoints.Get(path, query); });
//   endpoints.SetPlugins(...);   // at every publication
//
// Thread: any, concurrently. No answer waits for the scheduling thread: the texts are prepared beforehand. Ownership:
// the registry must outlive the object.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_annotations.h"
#include "client/http/listener.h"
#include "cluster/serve/health.h"
#include "cluster/serve/plugin_list.h"
#include "codec/json/value.h"
#include "telemetry/metrics/registry.h"

namespace berth::serve {

// None = ping.
struct Checks {
  std::vector<Check> healthz, livez, readyz;
};

class Endpoints {
 public:
  Endpoints(Checks checks, const metrics::Registry& registry);
  Endpoints(const Endpoints&) = delete;

  // The content of /configz: the effective v1 KubeSchedulerConfiguration, with apiVersion and kind. "{}" before the
  // first call.
  void SetConfiguration(const json::Value& configuration);
  // The content of /admin/v1/plugins. Empty before the first call.
  void SetPlugins(const std::vector<PluginEntry>& plugins);

  //   /healthz /livez /readyz and /healthz/<check>...   as kube-scheduler's, see Health
  //   /metrics             Prometheus' text
  //   /configz             {"componentconfig":{...}}
  //   /admin/v1/plugins    see PluginListJson
  // Everything else: 404 and a line of plain text. path and query are percent-encoded, query without '?'.
  http::Answer Get(std::string_view path, std::string_view query) const;
  // Whether the path is a health check, whose answer is small and does not wait. Path as for Get.
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

  const std::vector<Health> health_;
  const metrics::Registry& registry_;
  Ready configz_{"{}"};
  Ready plugins_{PluginListJson({})};
};

}  // namespace berth::serve
