// What is asked of the daemon by HTTP, and the answers. Has no sockets: its Get is http::Listener's handler.
//
//   Endpoints endpoints({.readyz = {{"shutdown", ...}, {"sched-handler-sync", ...}}}, registry);
//   auto listener = http::Listener::Start(address, [&](auto path, auto query) { return endpoints.Get(path, query); });
//   endpoints.SetPlugins(...);   // at every publish
//
// Thread: everything may be called from any, several at once. No answer waits for the scheduling thread: texts are made
// by those who know and kept ready. Ownership: the registry must outlive it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "http/listener.h"
#include "json/value.h"
#include "metrics/registry.h"
#include "serve/health.h"
#include "serve/plugin_list.h"

namespace berth::serve {

// None = ping.
struct Checks {
  std::vector<Check> healthz, livez, readyz;
};

class Endpoints {
 public:
  Endpoints(Checks checks, const metrics::Registry& registry);
  Endpoints(const Endpoints&) = delete;

  // What /configz shows: the effective KubeSchedulerConfiguration of v1, with apiVersion and kind. Until then "{}".
  void SetConfiguration(const json::Value& configuration);
  // What /admin/v1/plugins shows. Until then none.
  void SetPlugins(const std::vector<PluginEntry>& plugins);

  //   /healthz /livez /readyz and /healthz/<check>...   as kube-scheduler's, see Health
  //   /metrics             Prometheus' text
  //   /configz             {"componentconfig":{...}}
  //   /admin/v1/plugins    see PluginListJson
  // Everything else: 404 and a line of plain text. path and query are percent-encoded, query without '?'.
  http::Answer Get(std::string_view path, std::string_view query) const;
  // One of the health checks: small, and made without waiting. Path as for Get.
  bool IsHealth(std::string_view path) const;

 private:
  // A text that is replaced as a whole while others read it.
  class Ready {
   public:
    explicit Ready(std::string text) { Set(std::move(text)); }
    void Set(std::string text);
    std::shared_ptr<const std::string> Get() const;

   private:
    mutable std::mutex mutex_;
    std::shared_ptr<const std::string> text_;
  };

  const std::vector<Health> health_;
  const metrics::Registry& registry_;
  Ready configz_{"{}"};
  Ready plugins_{PluginListJson({})};
};

}  // namespace berth::serve
