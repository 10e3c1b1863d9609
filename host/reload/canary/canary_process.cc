#include "reload/canary/canary_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <iostream>

#include "base/read_all.h"
#include "os/subprocess/child_end.h"
#include "reload/canary/canary_progress.h"
#include "reload/canary/canary_request.h"
#include "reload/canary/canary_trial.h"
#include "reload/canary/confinement.h"
#include "scheduler/framework/cluster_services.h"
#include "telemetry/log/log.h"

namespace berth::canary {
namespace {

// The errors of the candidate. loaded: the digests of the mapped libraries.
std::vector<std::string> Check(const Request& request, const std::function<void(config::Configuration&)>& overlay,
                               const assembly::ReadQuarantine& quarantine, std::vector<std::string>& loaded) {
  assembly::PolicyOptions options{request.plugin_directories, {}, request.staging_directory, overlay};
  if (auto wrong = options.gates.Set(request.feature_gates); !wrong.empty()) return wrong;
  options.quarantine = quarantine;
  options.rehearse = [&loaded](const loader::Rehearsal& library) -> std::optional<loader::Finding> {
    Progress::Step("loading " + library.file);
    loaded.push_back(library.sha256);
    return std::nullopt;
  };
  api::InternTables intern;
  plugin::Services services(intern);
  framework::AddClusterServices(services);
  Progress::Step("reading the configuration");
  const assembly::ParsedConfig parsed = assembly::CompleteConfig(request.sources, options);
  assembly::Policy policy = assembly::BuildPolicy(parsed, options, services);
  if (!policy.ok()) return fields::TextsOf(policy.config.errors);
  const auto tried = Try(intern, policy, request.sample);
  if (!tried) return {tried.error().message};
  return {};
}

}  // namespace

int RunChild(const std::function<void(config::Configuration&)>& overlay, const assembly::ReadQuarantine& quarantine) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  os::DumpNoCore();
  Progress::Begin();
  if (const auto logging = log::Init({"berth-scheduler"}); !logging) return 2;
  const std::string document = base::ReadAll(std::cin);
  const auto request = RequestOf(document);
  if (!request) {
    std::cerr << "berth-scheduler canary: " << request.error().message << "\n";
    return 2;
  }
  if (request->parent != getppid()) return 2;  // the parent ended before prctl took effect
  // Read before the confinement: the file is the parent's.
  assembly::ReadQuarantine quarantined;
  if (quarantine) quarantined = [why = quarantine()] { return why; };
  for (const std::string& what : Confine({request->hidden, request->staging_directory})) Progress::Without(what);
  std::vector<std::string> loaded;
  const std::vector<std::string> errors = Check(*request, overlay, quarantined, loaded);
  if (errors.empty()) {
    Progress::Ok(loaded);
  } else {
    Progress::Errors(errors);
  }
  return 0;
}

}  // namespace berth::canary
