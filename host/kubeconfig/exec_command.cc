#include "kubeconfig/exec_command.h"

#include <unistd.h>

#include <utility>

#include "kubeconfig/discretion.h"

namespace berth::kubeconfig {
namespace {

// What the process has, over it what the kubeconfig gives, over that what the protocol gives.
std::vector<std::string> EnvironmentOf(const ExecConfig& config, const json::Value& cluster, Environment variables) {
  for (const auto& [name, value] : config.env) variables[name] = value;
  variables["KUBERNETES_EXEC_INFO"] = ExecInfo(config.api_version, cluster);
  std::vector<std::string> entries;
  for (const auto& [name, value] : variables) entries.push_back(name + "=" + value);
  return entries;
}

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

}  // namespace

std::string ExecInfo(const std::string& api_version, const json::Value& cluster) {
  json::Value spec = json::Value::MakeObject();
  if (!cluster.is_null()) spec.Set("cluster", cluster);
  spec.Set("interactive", false);
  return json::Dump(
      json::Value::MakeObject({{"kind", "ExecCredential"}, {"apiVersion", api_version}, {"spec", std::move(spec)}}));
}

ExecCommand::ExecCommand(ExecConfig config, const json::Value& cluster, const Surroundings& surroundings)
    : config_(std::move(config)),
      environment_(EnvironmentOf(config_, cluster, surroundings.environment)),
      search_path_(Variable(surroundings.environment, "PATH")) {
  limits_.time = surroundings.command_time;
}

std::string ExecCommand::Name() const { return ShownPath(config_.command); }

bool ExecCommand::operator==(const ExecCommand& other) const {
  return config_.command == other.config_.command && config_.args == other.config_.args &&
         config_.api_version == other.config_.api_version && environment_ == other.environment_ &&
         search_path_ == other.search_path_ && limits_.time == other.limits_.time;
}

tl::unexpected<base::Error> ExecCommand::Missing() const {
  const std::string hint = WithoutControls(config_.install_hint);
  const bool exists = config_.command.find('/') != std::string::npos && access(config_.command.c_str(), F_OK) == 0;
  return base::Fail("exec: executable " + Name() + (exists ? " may not be run" : " not found") +
                    (hint.empty() ? "" : "\n\n" + hint));
}

base::Result<ExecCredentials> ExecCommand::Run(const std::stop_token& stop) const {
  const std::string program = FindExecutable(config_.command, search_path_);
  if (program.empty()) return Missing();
  const std::string who = "exec: executable " + Name();
  const base::Result<CommandOutcome> outcome = RunCommand({program, config_.args, environment_}, limits_, stop);
  if (!outcome) return base::Fail(who + ": " + WithoutControls(Trimmed(outcome.error().message)));
  const std::string complaints = WithoutControls(Trimmed(outcome->complaints));
  const std::string because = complaints.empty() ? "" : ": " + complaints;
  if (outcome->exit_code != 0) {
    return base::Fail(who + " failed with exit code " + std::to_string(outcome->exit_code) + because);
  }
  base::Result<ExecCredentials> made = ParseExecAnswer(outcome->output, config_.api_version);
  if (!made) return base::Fail(who + ": " + made.error().message + because);
  return made;
}

}  // namespace berth::kubeconfig
