// What the daemon serves over HTTP, put together. Thread: main; answers come on the listener's threads. Ownership:
// everything passed in outlives it.
#pragma once

#include <memory>

#include "config/configuration.h"
#include "daemon/daemon.h"
#include "framework/profile.h"
#include "http/listener.h"
#include "metrics/registry.h"
#include "serve/endpoints.h"

namespace berth {

class Admin {
 public:
  // Checks ask the daemon from now on.
  Admin(const daemon::Daemon& daemon, const metrics::Registry& registry, const config::Configuration& configuration);

  void ShowPlugins(const framework::ProfileSet& profiles);
  // address "": nothing is served.
  base::Result<void> Listen(const std::string& address);

 private:
  serve::Endpoints endpoints_;
  std::unique_ptr<http::Listener> listener_;  // goes first
};

}  // namespace berth
