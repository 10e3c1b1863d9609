#include "kubeconfig/exec_source.h"

#include <unistd.h>

#include <utility>

#include "kubeconfig/discretion.h"
#include "log/log.h"

namespace berth::kubeconfig {
namespace {

constexpr int64_t kFailureStands = base::kSecond;
constexpr int64_t kRefusalCounts = 10 * base::kSecond;  // after the credentials were made

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

ExecSource::ExecSource(ExecConfig config, const json::Value& cluster, const Surroundings& surroundings,
                       CommandLimits limits)
    : config_(std::move(config)),
      limits_(limits),
      clock_(*surroundings.clock),
      environment_(EnvironmentOf(config_, cluster, surroundings.environment)),
      search_path_(Variable(surroundings.environment, "PATH")) {}

bool ExecSource::IsKept() const {
  return kept_ && (!kept_->expires_unix_ns || clock_.WallUnixNs() <= *kept_->expires_unix_ns);
}

base::Result<ExecCredentials> ExecSource::Get() {
  std::lock_guard lock(mutex_);
  if (IsKept()) return *kept_;
  if (failure_ && clock_.MonoNs() < next_run_ns_) return tl::unexpected(*failure_);
  failure_.reset();
  base::Result<ExecCredentials> made = Run();
  if (!made) {
    failure_ = base::Error{"getting credentials: " + made.error().message};
    next_run_ns_ = clock_.MonoNs() + kFailureStands;
    return tl::unexpected(*failure_);
  }
  log::V(4, "Credential command ran", {{"command", ShownPath(config_.command)}});
  kept_ = *made;
  made_ns_ = clock_.MonoNs();
  return made;
}

void ExecSource::Forget() {
  std::lock_guard lock(mutex_);
  if (clock_.MonoNs() - made_ns_ > kRefusalCounts) kept_.reset();
}

tl::unexpected<base::Error> ExecSource::Missing() const {
  const std::string hint = WithoutControls(config_.install_hint);
  const bool exists = config_.command.find('/') != std::string::npos && access(config_.command.c_str(), F_OK) == 0;
  return base::Fail("exec: executable " + ShownPath(config_.command) + (exists ? " may not be run" : " not found") +
                    (hint.empty() ? "" : "\n\n" + hint));
}

base::Result<ExecCredentials> ExecSource::Run() const {
  const std::string program = FindExecutable(config_.command, search_path_);
  if (program.empty()) return Missing();
  const std::string who = "exec: executable " + ShownPath(config_.command);
  const base::Result<CommandOutcome> outcome = RunCommand({program, config_.args, environment_}, limits_);
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
