// The HTTP endpoints of the scheduler. Thread: main; the listener's threads answer requests. Ownership:
// everything passed in outlives it.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/thread_annotations.h"
#include "client/http/listener.h"
#include "cluster/daemon/daemon.h"
#include "cluster/secure_port/secure_port.h"
#include "cluster/serve/endpoints.h"
#include "cluster/serve/plugin_list.h"
#include "cmd/berth-scheduler/electing.h"
#include "cmd/berth-scheduler/measurements.h"
#include "config/configuration/configuration.h"
#include "scheduler/framework/profile.h"

namespace berth {

// What the endpoints show.
struct AdminSources {
  daemon::Daemon& daemon;
  Measurements& measurements;
  const config::Configuration& configuration;
  const Electing* electing;  // null: there is no leader election
};

class Admin {
 public:
  explicit Admin(const AdminSources& sources);
  ~Admin() { RequestEnd(); }

  // For further paths, before Listen.
  serve::Routes& routes() { return endpoints_.routes(); }
  // Answers that take long end when stop is requested.
  std::stop_token ending() const { return ending_.get_token(); }
  void RequestEnd() { ending_.request_stop(); }  // any thread

  // profiles: the active policy from now on. Any thread.
  void Show(const framework::ProfileSet& profiles, const config::Configuration& configuration);
  // Why the active policy is not that of the files; "" = it is. Any thread.
  void SetDivergence(std::string why);
  // The endpoints without their server: the handler of a listener, and its ListenerOptions::prompt. Any thread.
  http::Answer Get(const http::Incoming& request) const;
  bool IsPrompt(const http::Incoming& request) const;
  // The same, for a secure port that this object outlives.
  secure_port::Pages Pages() const;
  // address "": nothing is served.
  base::Result<void> Listen(const std::string& address);

 private:
  struct Remark {  // of readyz
    base::Mutex mutex;
    std::string why GUARDED_BY(mutex);
    std::string Get();
  };
  static serve::Checks ChecksOf(const daemon::Daemon& daemon, const Electing* electing,
                                std::shared_ptr<Remark> divergence, std::shared_ptr<Remark> quarantine);
  void ShowQuarantined(const framework::ProfileSet& profiles, std::map<std::string, serve::PluginEntry>& plugins);

  const std::shared_ptr<Remark> divergence_ = std::make_shared<Remark>();
  const std::shared_ptr<Remark> quarantine_ = std::make_shared<Remark>();  // why: the plugins that are left out
  base::Mutex shown_mutex_;
  std::map<std::string, serve::PluginEntry> shown_ GUARDED_BY(shown_mutex_);
  serve::Endpoints endpoints_;
  std::stop_source ending_;
  std::unique_ptr<http::Listener> listener_;  // destroyed first
};

}  // namespace berth
