#include "canary/child.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <iostream>
#include <iterator>

#include "cache/cache.h"
#include "canary/confinement.h"
#include "canary/progress.h"
#include "canary/question.h"
#include "canary/trial.h"
#include "framework/cluster_services.h"
#include "loader/child.h"
#include "log/log.h"

namespace berth::canary {
namespace {

// What is wrong with the candidate. loaded: the digests of what has been mapped.
std::vector<std::string> Judge(const Question& question, const std::function<void(config::Configuration&)>& overlay,
                               const assembly::ReadQuarantine& quarantine, std::vector<std::string>& loaded) {
  assembly::PolicyOptions options{question.plugin_directories, {}, question.staging_directory, overlay};
  if (auto wrong = options.gates.Set(question.feature_gates); !wrong.empty()) return wrong;
  options.quarantine = quarantine;
  options.rehearse = [&loaded](const loader::Rehearsal& library) -> std::optional<loader::Finding> {
    Progress::Step("loading " + library.file);
    loaded.push_back(library.sha256);
    return std::nullopt;
  };
  api::Vocabulary words;
  cache::Cache no_cluster(words);
  plugin::Services services(words);
  framework::AddClusterServices(services, no_cluster);
  Progress::Step("reading the configuration");
  assembly::Policy policy = assembly::LoadPolicy(question.sources, options, services);
  if (!policy.ok()) return config::TextsOf(policy.config.errors);
  const auto tried = Try(words, policy, question.sample);
  if (!tried) return {tried.error().message};
  return {};
}

}  // namespace

int RunChild(const std::function<void(config::Configuration&)>& overlay, const assembly::ReadQuarantine& quarantine) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  loader::DumpNoCore();
  Progress::Begin();
  if (const auto logging = log::Init({"berth-scheduler"}); !logging) return 2;
  const std::string document{std::istreambuf_iterator<char>(std::cin), {}};
  const auto question = QuestionOf(document);
  if (!question) {
    std::cerr << "berth-scheduler canary: " << question.error().message << "\n";
    return 2;
  }
  if (question->parent != getppid()) return 2;  // which has ended before this process could ask to end with it
  assembly::ReadQuarantine barred;              // which is read now: it is in files of the parent
  if (quarantine) barred = [why = quarantine()] { return why; };
  for (const std::string& what : Confine({question->hidden, question->staging_directory})) Progress::Without(what);
  std::vector<std::string> loaded;
  const std::vector<std::string> errors = Judge(*question, overlay, barred, loaded);
  if (errors.empty()) {
    Progress::Ok(loaded);
  } else {
    Progress::Errors(errors);
  }
  return 0;
}

}  // namespace berth::canary
