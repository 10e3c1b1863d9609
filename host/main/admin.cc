#include "main/admin.h"

#include <map>
#include <optional>
#include <string>

#include "config/print.h"
#include "log/log.h"

namespace berth {
namespace {

serve::Checks ChecksOf(const daemon::Daemon& daemon, const config::Configuration& configuration) {
  serve::Checks checks;
  std::vector<serve::Check>& ready = checks.readyz;
  if (configuration.leader_election.leader_elect) {
    ready.push_back({"leaderElection", [] { return std::optional<std::string>(); },
                     "leaderElect is true, but leader election is not there yet: run one replica only"});
  }
  ready.push_back({"shutdown", [&daemon]() -> std::optional<std::string> {
                     if (daemon.ending()) return "process is shutting down";
                     return std::nullopt;
                   }});
  ready.push_back({"sched-handler-sync", [&daemon]() -> std::optional<std::string> {
                     if (daemon.handlers_synced()) return std::nullopt;
                     const std::string trouble = daemon.trouble();
                     return "handlers are not fully synchronized" + (trouble.empty() ? "" : ": " + trouble);
                   }});
  return checks;
}

}  // namespace

Admin::Admin(const daemon::Daemon& daemon, const metrics::Registry& registry,
             const config::Configuration& configuration)
    : endpoints_(ChecksOf(daemon, configuration), registry) {
  endpoints_.SetConfiguration(config::ValueV1(configuration));
}

void Admin::ShowPlugins(const framework::ProfileSet& profiles) {
  std::map<std::string, serve::PluginEntry> plugins;  // a plugin of several profiles is one entry
  for (const auto& profile : profiles.profiles) {
    for (const auto& instance : profile->instances()) {
      const loader::Library& library = instance->library();
      plugins[instance->name()] = {instance->name(), library.path(), library.version(), "sha256:" + library.sha256(),
                                   "active"};
    }
  }
  std::vector<serve::PluginEntry> list;
  for (auto& [name, entry] : plugins) list.push_back(std::move(entry));
  endpoints_.SetPlugins(list);
}

base::Result<void> Admin::Listen(const std::string& address) {
  if (address.empty()) return {};
  auto listener = http::Listener::Start(
      address, [this](std::string_view path, std::string_view query) { return endpoints_.Get(path, query); });
  if (!listener) return tl::unexpected(listener.error());
  listener_ = std::move(*listener);
  log::Info("Serving health, metrics and configuration over plain HTTP",
            {{"address", address}, {"port", listener_->port()}});
  return {};
}

}  // namespace berth
