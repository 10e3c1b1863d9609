#include "cmd/berth-scheduler/canary_setup.h"

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string_view>

#include "client/credentials/file_texts.h"
#include "client/credentials/selection.h"
#include "cmd/berth-scheduler/command_line.h"
#include "cmd/berth-scheduler/crash_recovery.h"
#include "codec/fields/issue.h"
#include "config/options/option_overlay.h"
#include "config/options/parse.h"
#include "crash/record/state_dir.h"
#include "reload/canary/canary.h"
#include "reload/canary/canary_process.h"

namespace berth {
namespace {

// The unchanged arguments, so that the child interprets them as this process did.
std::vector<std::string> ArgumentsWithoutProgram() {
  std::vector<std::string> arguments = CommandLine();
  if (!arguments.empty()) arguments.erase(arguments.begin());
  return arguments;
}

// The key and the tokens that a kubeconfig names.
void AddFilesOf(const std::string& kubeconfig, std::vector<std::string>& files) {
  credentials::FileTexts texts;
  const auto document = credentials::ReadKubeconfig(kubeconfig, texts);
  if (!document) return;
  fields::Issues issues(kubeconfig, *document);
  const credentials::User user = credentials::Select(*document, kubeconfig, issues).user;
  for (const std::string& file : {user.key_file, user.token_file}) {
    if (!file.empty()) files.push_back(file);
  }
}

// The credentials for the API server and for extenders.
std::vector<std::string> Credentials(const config::Configuration& configuration) {
  std::vector<std::string> files{"/run/secrets", "/var/run/secrets"};
  if (const char* home = std::getenv("HOME")) files.push_back(std::string(home) + "/.kube");
  if (const std::string& kubeconfig = configuration.client_connection.kubeconfig; !kubeconfig.empty()) {
    files.push_back(kubeconfig);
    AddFilesOf(kubeconfig, files);
  }
  for (const config::Extender& extender : configuration.extenders) {
    if (extender.tls && !extender.tls->key_file.empty()) files.push_back(extender.tls->key_file);
  }
  return files;
}

}  // namespace

int RunCanaryIfAsked(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "canary") return -1;
  options::SchedulerOptions options;
  const auto code = options::ParseOptions(argc - 1, argv + 1, BERTH_VERSION, options, std::cout, std::cerr);
  if (code) return *code;
  return canary::RunChild([&options](config::Configuration& to) { options::ApplyTo(options, to); },
                          QuarantineOfParent(options));
}

void AddCanary(reload::CoordinatorOptions& to, const options::SchedulerOptions& options,
               const config::Configuration& configuration, engine::Engine& engine) {
  const auto tried = std::make_shared<canary::TriedLibraries>();
  to.policy.rehearse = [tried](const loader::Rehearsal& library) { return tried->Check(library); };
  canary::CanaryOptions canary;
  canary.arguments = ArgumentsWithoutProgram();
  canary.plugin_directories = to.policy.plugin_directories;
  canary.feature_gates = options.feature_gates;
  canary.staging_directory = to.policy.staging_directory;
  canary.hidden = Credentials(configuration);
  canary.variables = {crash::StateDir::kEnvironment};
  canary.sample = [&engine] { return canary::TakeSample(engine); };
  canary.tried = tried;
  to.canary = canary::MakeCanary(std::move(canary));
}

}  // namespace berth
