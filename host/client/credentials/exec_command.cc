#include "client/credentials/exec_command.h"

#include <unistd.h>

#include <system_error>
#include <utility>

#include "client/credentials/redact.h"
#include "codec/text/trim.h"
#include "os/subprocess/find_executable.h"
#include "os/subprocess/program.h"

namespace berth::credentials {
namespace {

// The variables of the process, overridden by those of the kubeconfig, overridden by those of the protocol.
std::vector<std::string> EnvironmentOf(const ExecConfig& config, const json::Value& cluster, Environment variables) {
  for (const auto& [name, value] : config.env) variables[name] = value;
  variables["KUBERNETES_EXEC_INFO"] = ExecInfo(config.api_version, cluster);
  std::vector<std::string> entries;
  for (const auto& [name, value] : variables) entries.push_back(name + "=" + value);
  return entries;
}

std::string_view Trimmed(std::string_view text) { return text::Trim(text, " \t\r\n"); }

constexpr size_t kOutputBytes = size_t{1} << 20;  // of standard output; more is an error

struct Outcome {
  int exit_code = 0;  // -1: a signal ended it
  std::string output;
  std::string errors;  // the end of stderr
};

tl::unexpected<base::Error> NotStarted(const os::StartError& error) {
  const std::string why = std::generic_category().message(error.error);
  return base::Fail(error.step.empty() ? why : "cannot make a pipe: " + why);
}

// Errors contain nothing of stdout; those of a limit contain the end of stderr.
base::Result<Outcome> RunToEnd(const os::ProgramOptions& options, std::chrono::milliseconds time,
                               const std::stop_token& stop) {
  using ReadEnd = os::Program::ReadEnd;
  const os::Program::Limits limits{os::Program::Clock::now() + time, stop};
  auto program = os::Program::Start(options);
  if (!program) return NotStarted(program.error());
  Outcome outcome;
  ReadEnd end = program->ReadOutput(limits, [&](std::string_view bytes) {
    outcome.output += bytes;
    return outcome.output.size() <= kOutputBytes;
  });
  if (end == ReadEnd::kClosed) end = program->ReadErrors(limits);
  if (end == ReadEnd::kClosed && program->WaitForEnd(limits)) {
    outcome.errors = program->Errors();
    outcome.exit_code = program->Release().ExitCode();
    return outcome;
  }
  program->Kill();
  std::string reason =
      stop.stop_requested() ? "is not needed any more" : "did not end within " + std::to_string(time.count()) + " ms";
  if (end == ReadEnd::kEnough) reason = "wrote more than the " + std::to_string(kOutputBytes) + " bytes allowed";
  return base::Fail(reason + (program->Errors().empty() ? "" : ": " + program->Errors()));
}

}  // namespace

std::string ExecInfo(const std::string& api_version, const json::Value& cluster) {
  json::Value spec = json::Value::MakeObject();
  if (!cluster.is_null()) spec.Set("cluster", cluster);
  spec.Set("interactive", false);
  return json::Dump(
      json::Value::MakeObject({{"kind", "ExecCredential"}, {"apiVersion", api_version}, {"spec", std::move(spec)}}));
}

ExecCommand::ExecCommand(ExecConfig config, const json::Value& cluster, const ProcessEnvironment& process)
    : config_(std::move(config)),
      time_(process.command_time),
      environment_(EnvironmentOf(config_, cluster, process.environment)),
      search_path_(Variable(process.environment, "PATH")) {}

std::string ExecCommand::Name() const { return ShownPath(config_.command); }

bool ExecCommand::operator==(const ExecCommand& other) const {
  return config_.command == other.config_.command && config_.args == other.config_.args &&
         config_.api_version == other.config_.api_version && environment_ == other.environment_ &&
         search_path_ == other.search_path_ && time_ == other.time_;
}

tl::unexpected<base::Error> ExecCommand::Missing() const {
  const std::string hint = WithoutControls(config_.install_hint);
  const bool exists = config_.command.find('/') != std::string::npos && access(config_.command.c_str(), F_OK) == 0;
  return base::Fail("exec: executable " + Name() + (exists ? " may not be run" : " not found") +
                    (hint.empty() ? "" : "\n\n" + hint));
}

base::Result<ExecCredentials> ExecCommand::Run(const std::stop_token& stop) const {
  const std::string program = os::FindExecutable(config_.command, search_path_);
  if (program.empty()) return Missing();
  const std::string who = "exec: executable " + Name();
  std::vector<std::string> arguments{program};
  arguments.insert(arguments.end(), config_.args.begin(), config_.args.end());
  const base::Result<Outcome> outcome =
      RunToEnd({.path = program, .arguments = std::move(arguments), .environment = environment_}, time_, stop);
  if (!outcome) return base::Fail(who + ": " + WithoutControls(Trimmed(outcome.error().message)));
  const std::string errors = WithoutControls(Trimmed(outcome->errors));
  const std::string because = errors.empty() ? "" : ": " + errors;
  if (outcome->exit_code != 0) {
    return base::Fail(who + " failed with exit code " + std::to_string(outcome->exit_code) + because);
  }
  base::Result<ExecCredentials> made = ParseExecAnswer(outcome->output, config_.api_version);
  if (!made) return base::Fail(who + ": " + made.error().message + because);
  return made;
}

}  // namespace berth::credentials
