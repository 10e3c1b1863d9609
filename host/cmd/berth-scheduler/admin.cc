#include "cmd/berth-scheduler/admin.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "base/text.h"
#include "cluster/daemon/health_checks.h"
#include "cluster/explain/explain_api.h"
#include "cluster/serve/pprof.h"
#include "config/configuration/print.h"
#include "telemetry/log/log.h"

namespace berth {
namespace {

constexpr const char* kQuarantined = "quarantined";

// The methods that at least one endpoint accepts.
const std::vector<std::string> kMethods{"GET", "HEAD", "PUT", "POST"};

// Source: leaderelection.HealthzAdaptor, which healthz and readyz of kube-scheduler have;
// healthz.NewInformerSyncHealthz.
void AddElectionChecks(const Electing& electing, serve::Checks& checks) {
  const auto run = [&electing]() -> std::optional<std::string> {
    const auto healthy = electing.elector().Check();
    return healthy ? std::nullopt : std::optional(healthy.error().message);
  };
  checks.healthz.push_back({"leaderElection", run});
  checks.readyz.push_back({"leaderElection", run});
  if (electing.candidate() == nullptr) return;
  checks.readyz.push_back({"informer-sync", [&electing]() -> std::optional<std::string> {
                             if (electing.candidate()->synced()) return std::nullopt;
                             return "the LeaseCandidate does not exist yet";
                           }});
}

// address: "127.0.0.1:10261"
bool IsLoopback(std::string_view address) {
  return address.starts_with("127.") || address.starts_with("[::1]:") || address.starts_with("localhost:");
}

// A follower answers without content, as upstream.
http::Answer ResourceMetrics(const AdminSources& sources) {
  if (sources.electing != nullptr && !sources.electing->elector().leading()) return {};
  return sources.daemon.ResourceMetrics();
}

}  // namespace

std::string Admin::Remark::Get() {
  base::MutexLock lock(mutex);
  return why;
}

serve::Checks Admin::ChecksOf(const daemon::Daemon& daemon, const Electing* electing,
                              std::shared_ptr<Remark> divergence, std::shared_ptr<Remark> quarantine) {
  const auto fine = [] { return std::optional<std::string>(); };
  serve::Checks checks;
  std::vector<serve::Check>& ready = checks.readyz;
  if (electing != nullptr) AddElectionChecks(*electing, checks);
  // The active policy is valid even if it is not that of the files, so the scheduler stays ready.
  ready.push_back({"configuration", fine, [divergence = std::move(divergence)] {
                     const std::string why = divergence->Get();
                     return why.empty() ? why : "the active policy is not that of the files: " + why;
                   }});
  ready.push_back({"quarantine", fine, [quarantine = std::move(quarantine)] { return quarantine->Get(); }});
  daemon::AddHealthChecks(daemon, checks);
  return checks;
}

Admin::Admin(const AdminSources& sources)
    : endpoints_(ChecksOf(sources.daemon, sources.electing, divergence_, quarantine_), sources.measurements.registry(),
                 {.health = &sources.measurements.health(),
                  .slis = &sources.measurements.slis(),
                  .resources = [sources] { return ResourceMetrics(sources); }}) {
  const config::Configuration& configuration = sources.configuration;
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
                                   instance->quarantined() ? kQuarantined : "active"};
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
                                                   profiles.generation, kQuarantined});
  }
  base::MutexLock lock(quarantine_->mutex);
  quarantine_->why = base::Join(texts, "; ");
}

http::Answer Admin::Get(const http::Incoming& request) const { return endpoints_.Get(request); }

bool Admin::IsPrompt(const http::Incoming& request) const { return endpoints_.IsHealth(request.path); }

secure_port::Pages Admin::Pages() const {
  return {[this](const http::Incoming& request) { return Get(request); },
          [this](const http::Incoming& request) { return IsPrompt(request); }, kMethods};
}

base::Result<void> Admin::Listen(const std::string& address) {
  if (address.empty()) return {};
  http::ListenerOptions options;
  options.prompt = [this](const http::Incoming& request) { return IsPrompt(request); };
  options.methods = kMethods;
  options.slow = [](const http::Incoming& request) { return serve::IsSlow(request.path); };
  auto listener = http::Listener::Start(
      address,
      [this, local = IsLoopback(address)](const http::Incoming& request) {
        // Plain HTTP does not authenticate clients: other machines must not read stacks or pods, or make the log grow.
        if (!local && (serve::IsDebug(request.path) || explain::Explains(request.path))) {
          return serve::PlainError(403, "this path is served only if --admin-address is a loopback address");
        }
        return Get(request);
      },
      std::move(options));
  if (!listener) return tl::unexpected(listener.error());
  listener_ = std::move(*listener);
  log::Info("Serving health, metrics and configuration over plain HTTP",
            {{"address", address}, {"port", listener_->port()}});
  return {};
}

}  // namespace berth
