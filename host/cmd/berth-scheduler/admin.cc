#include "cmd/berth-scheduler/admin.h"

#include <map>
#include <optional>
#include <string>

#include "base/text.h"
#include "cluster/daemon/health_checks.h"
#include "config/configuration/print.h"
#include "telemetry/log/log.h"

namespace berth {

std::string Admin::Remark::Get() {
  base::MutexLock lock(mutex);
  return why;
}

serve::Checks Admin::ChecksOf(const daemon::Daemon& daemon, const config::Configuration& configuration,
                              std::shared_ptr<Remark> divergence, std::shared_ptr<Remark> quarantine) {
  const auto fine = [] { return std::optional<std::string>(); };
  serve::Checks checks;
  std::vector<serve::Check>& ready = checks.readyz;
  if (configuration.leader_election.leader_elect) {
    ready.push_back({"leaderElection", fine,
                     [] { return "leaderElect is true, but leader election is not there yet: run one replica only"; }});
  }
  // The active policy is valid even if it is not that of the files, so the scheduler stays ready.
  ready.push_back({"configuration", fine, [divergence = std::move(divergence)] {
                     const std::string why = divergence->Get();
                     return why.empty() ? why : "the active policy is not that of the files: " + why;
                   }});
  ready.push_back({"quarantine", fine, [quarantine = std::move(quarantine)] { return quarantine->Get(); }});
  daemon::AddHealthChecks(daemon, checks);
  return checks;
}

Admin::Admin(const daemon::Daemon& daemon, const metrics::Registry& registry,
             const config::Configuration& configuration)
    : endpoints_(ChecksOf(daemon, configuration, divergence_, quarantine_), registry) {
  endpoints_.SetConfiguration(config::ValueV1(configuration));
}

void Admin::SetDivergence(std::string why) {
  base::MutexLock lock(divergence_->mutex);
  divergence_->why = std::move(why);
}

void Admin::Show(const framework::ProfileSet& profiles, const config::Configuration& configuration) {
  endpoints_.SetConfiguration(config::ValueV1(configuration));
  std::map<std::string, serve::PluginEntry> plugins;  // a plugin of several profiles is one entry
  base::MutexLock lock(shown_mutex_);
  for (const auto& profile : profiles.profiles) {
    for (const auto& instance : profile->instances()) {
      const loader::Library& library = instance->library();
      const std::string digest = "sha256:" + library.sha256();
      const auto known = shown_.find(instance->name());
      const bool same = known != shown_.end() && known->second.digest == digest;
      plugins[instance->name()] = {instance->name(),
                                   library.path(),
                                   library.version(),
                                   digest,
                                   same ? known->second.generation : profiles.generation,
                                   instance->quarantined() ? "quarantined" : "active"};
    }
  }
  ShowQuarantined(profiles, plugins);
  shown_ = plugins;
  std::vector<serve::PluginEntry> list;
  for (auto& [name, entry] : plugins) list.push_back(std::move(entry));
  endpoints_.SetPlugins(list);
}

// Quarantined plugins are in the list unless another profile has them.
void Admin::ShowQuarantined(const framework::ProfileSet& profiles, std::map<std::string, serve::PluginEntry>& plugins) {
  std::vector<std::string> texts;
  for (const framework::QuarantinedPlugin& one : profiles.quarantined) {
    texts.push_back(one.Text());
    plugins.emplace(one.plugin, serve::PluginEntry{one.plugin, one.library, one.version, "sha256:" + one.sha256,
                                                   profiles.generation, "quarantined"});
  }
  base::MutexLock lock(quarantine_->mutex);
  quarantine_->why = base::Join(texts, "; ");
}

base::Result<void> Admin::Listen(const std::string& address) {
  if (address.empty()) return {};
  http::ListenerOptions options;
  options.prompt = [this](std::string_view path) { return endpoints_.IsHealth(path); };
  auto listener = http::Listener::Start(
      address, [this](std::string_view path, std::string_view query) { return endpoints_.Get(path, query); },
      std::move(options));
  if (!listener) return tl::unexpected(listener.error());
  listener_ = std::move(*listener);
  log::Info("Serving health, metrics and configuration over plain HTTP",
            {{"address", address}, {"port", listener_->port()}});
  return {};
}

}  // namespace berth
