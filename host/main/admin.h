// What the daemon serves over HTTP, put together. Thread: main; answers come on the listener's threads. Ownership:
// everything passed in outlives it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "config/configuration.h"
#include "daemon/daemon.h"
#include "framework/profile.h"
#include "http/listener.h"
#include "metrics/registry.h"
#include "serve/endpoints.h"
#include "serve/plugin_list.h"

namespace berth {

class Admin {
 public:
  // Checks ask the daemon from now on.
  Admin(const daemon::Daemon& daemon, const metrics::Registry& registry, const config::Configuration& configuration);

  // What decides from now on. Any thread.
  void Show(const framework::ProfileSet& profiles, const config::Configuration& configuration);
  // Why the files want something else than what decides, "" when they do not. Any thread.
  void SetDivergence(std::string why);
  // address "": nothing is served.
  base::Result<void> Listen(const std::string& address);

 private:
  struct Remark {  // of readyz
    std::mutex mutex;
    std::string why;  // under mutex
    std::string Get();
  };
  static serve::Checks ChecksOf(const daemon::Daemon& daemon, const config::Configuration& configuration,
                                std::shared_ptr<Remark> divergence, std::shared_ptr<Remark> quarantine);
  void ShowBarred(const framework::ProfileSet& profiles, std::map<std::string, serve::PluginEntry>& plugins);

  const std::shared_ptr<Remark> divergence_ = std::make_shared<Remark>();
  const std::shared_ptr<Remark> quarantine_ = std::make_shared<Remark>();  // why: what it keeps out
  std::mutex shown_mutex_;
  std::map<std::string, serve::PluginEntry> shown_;  // under shown_mutex_
  serve::Endpoints endpoints_;
  std::unique_ptr<http::Listener> listener_;  // goes first
};

}  // namespace berth
