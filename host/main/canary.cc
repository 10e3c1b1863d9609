#include "main/canary.h"

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string_view>

#include "canary/canary.h"
#include "canary/child.h"
#include "config/issue.h"
#include "kubeconfig/file_texts.h"
#include "kubeconfig/selection.h"
#include "main/command_line.h"
#include "main/recovery.h"
#include "options/overlay.h"
#include "options/parse.h"
#include "recovery/place.h"

namespace berth {
namespace {

// As they were given, so that the child understands them as this process did.
std::vector<std::string> OwnArguments() {
  std::vector<std::string> arguments = CommandLine();
  if (!arguments.empty()) arguments.erase(arguments.begin());
  return arguments;
}

// The key and the tokens that a kubeconfig names.
void AddFilesOf(const std::string& kubeconfig, std::vector<std::string>& files) {
  kubeconfig::FileTexts texts;
  const auto document = kubeconfig::ReadKubeconfig(kubeconfig, texts);
  if (!document) return;
  config::Issues issues(kubeconfig, *document);
  const kubeconfig::User user = kubeconfig::Select(*document, kubeconfig, issues).user;
  for (const std::string& file : {user.key_file, user.token_file}) {
    if (!file.empty()) files.push_back(file);
  }
}

// Who we are to the API server and to extenders.
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

void AddCanary(swap::CoordinatorOptions& to, const options::SchedulerOptions& options,
               const config::Configuration& configuration, engine::Engine& engine) {
  const auto tried = std::make_shared<canary::TriedLibraries>();
  to.policy.rehearse = [tried](const loader::Rehearsal& library) { return tried->Judge(library); };
  canary::CanaryOptions canary;
  canary.arguments = OwnArguments();
  canary.plugin_directories = to.policy.plugin_directories;
  canary.feature_gates = options.feature_gates;
  canary.staging_directory = to.policy.staging_directory;
  canary.hidden = Credentials(configuration);
  canary.variables = {recovery::Place::kEnvironment};
  canary.sample = [&engine] { return canary::TakeSample(engine); };
  canary.tried = tried;
  to.canary = canary::MakeCanary(std::move(canary));
}

}  // namespace berth
