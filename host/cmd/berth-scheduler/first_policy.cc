#include "cmd/berth-scheduler/first_policy.h"

#include <filesystem>
#include <iostream>
#include <string>

#include "config/options/option_overlay.h"
#include "policy/assembly/config_files.h"
#include "scheduler/framework/cluster_services.h"
#include "telemetry/log/log.h"

namespace berth {
namespace {

// Where libraries are staged when memfds may not be executed: a separate directory in --state-dir, to which other
// programs may write. "" without --state-dir.
base::Result<std::string> StagingDirectory(const std::string& state_dir) {
  if (state_dir.empty()) return std::string();
  const std::filesystem::path directory = std::filesystem::path(state_dir) / "plugins";
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!error) std::filesystem::permissions(directory, std::filesystem::perms::owner_all, error);
  if (error) return base::Fail("--state-dir: " + directory.string() + ": " + error.message());
  return directory.string();
}

}  // namespace

base::Result<assembly::PolicyOptions> PolicyOptionsOf(const options::SchedulerOptions& options,
                                                      const config::FeatureGates& gates) {
  const auto staging = StagingDirectory(options.state_dir);
  if (!staging) return tl::unexpected(staging.error());
  return assembly::PolicyOptions{options.plugin_dirs, gates, *staging, [options](config::Configuration& configuration) {
                                   options::ApplyTo(options, configuration);
                                 }};
}

base::Result<std::unique_ptr<assembly::Policy>> ReadFirstPolicy(const options::SchedulerOptions& options,
                                                                const assembly::PolicyOptions& policy_options,
                                                                api::InternTables& intern) {
  const auto sources = assembly::ReadSources(options.config, options.berth_config);
  if (!sources) return tl::unexpected(sources.error());
  // Plugins check their args with separate services, because those of the engine do not exist yet.
  plugin::Services services(intern);
  framework::AddClusterServices(services);
  auto policy = std::make_unique<assembly::Policy>(assembly::LoadPolicy(*sources, policy_options, services));
  for (const fields::Issue& issue : policy->config.warnings) log::Warning(issue.Text());
  for (const fields::Issue& issue : policy->config.errors) std::cerr << issue.Text() << "\n";
  if (policy->ok()) return policy;
  const size_t n = policy->config.errors.size();
  return base::Fail("the configuration has " + std::to_string(n) + (n == 1 ? " error" : " errors"));
}

}  // namespace berth
