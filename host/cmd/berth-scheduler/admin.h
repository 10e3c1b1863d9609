// The HTTP endpoints of the scheduler. Thread: main; the listener's threads answer requests. Ownership:
// everything passed in outlives it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/thread_annotations.h"
#include "client/http/listener.h"
#include "cluster/daemon/daemon.h"
#include "cluster/serve/endpoints.h"
#include "cluster/serve/plugin_list.h"
#include "config/configuration/configuration.h"
#include "scheduler/framework/profile.h"
#include "telemetry/metrics/registry.h"

namespace berth {

class Admin {
 public:
  // The health checks query the daemon.
  Admin(const daemon::Daemon& daemon, const metrics::Registry& registry, const config::Configuration& configuration);

  // profiles: the active policy from now on. Any thread.
  void Show(const framework::ProfileSet& profiles, const config::Configuration& configuration);
  // Why the active policy is not that of the files; "" = it is. Any thread.
  void SetDivergence(std::string why);
  // address "": nothing is served.
  base::Result<void> Listen(const std::string& address);

 private:
  struct Remark {  // of readyz
    base::Mutex mutex;
    std::string why GUARDED_BY(mutex);
    std::string Get();
  };
  static serve::Checks ChecksOf(const daemon::Daemon& daemon, const config::Configuration& configuration,
                                std::shared_ptr<Remark> divergence, std::shared_ptr<Remark> quarantine);
  void ShowQuarantined(const framework::ProfileSet& profiles, std::map<std::string, serve::PluginEntry>& plugins);

  const std::shared_ptr<Remark> divergence_ = std::make_shared<Remark>();
  const std::shared_ptr<Remark> quarantine_ = std::make_shared<Remark>();  // why: the plugins that are left out
  base::Mutex shown_mutex_;
  std::map<std::string, serve::PluginEntry> shown_ GUARDED_BY(shown_mutex_);
  serve::Endpoints endpoints_;
  std::unique_ptr<http::Listener> listener_;  // goes first
};

}  // namespace berth
