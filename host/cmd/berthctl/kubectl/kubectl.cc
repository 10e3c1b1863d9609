#include "cmd/berthctl/kubectl/kubectl.h"

#include <chrono>
#include <system_error>
#include <utility>

#include "codec/text/harmless.h"
#include "codec/text/trim.h"
#include "os/subprocess/find_executable.h"

namespace berth::ctl {
namespace {

constexpr const char* kRequestTimeout = "--request-timeout=30s";
constexpr std::chrono::minutes kLimit{2};
constexpr size_t kOutputBytes = size_t{4} << 20;  // of a kubeconfig with many certificates; more is an error

// The words before the first flag.
std::string CommandOf(const std::vector<std::string>& arguments) {
  std::string command = "kubectl";
  for (const std::string& argument : arguments) {
    if (argument.starts_with("-")) break;
    command += " " + argument;
  }
  return command;
}

}  // namespace

std::string KubectlError(const std::vector<std::string>& arguments, const std::string& errors) {
  const std::string reason(text::Trim(errors, text::kSpace));
  return CommandOf(arguments) + ": " + (reason.empty() ? "it ended without a reason" : text::HarmlessLines(reason));
}

base::Result<Kubectl> Kubectl::Find(const KubectlChoice& choice, const credentials::Environment& environment) {
  Kubectl kubectl;
  kubectl.path_ = os::FindExecutable("kubectl", credentials::Variable(environment, "PATH"));
  if (kubectl.path_.empty()) return base::Fail("no directory of PATH has kubectl, which reaches the scheduler");
  for (const auto& [name, value] : environment) kubectl.environment_.push_back(name + "=" + value);
  if (!choice.kubeconfig.empty()) kubectl.flags_.push_back("--kubeconfig=" + choice.kubeconfig);
  if (!choice.context.empty()) kubectl.flags_.push_back("--context=" + choice.context);
  return kubectl;
}

base::Result<std::unique_ptr<os::GuardedProgram>> Kubectl::Start(const std::vector<std::string>& arguments) const {
  os::ProgramOptions options;
  options.path = path_;
  options.arguments = {path_};
  options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
  options.arguments.insert(options.arguments.end(), flags_.begin(), flags_.end());
  options.environment = environment_;
  auto program = os::GuardedProgram::Start(options);
  if (!program) {
    return base::Fail("cannot start " + path_ + ": " + std::generic_category().message(program.error().error));
  }
  return std::move(*program);
}

base::Result<std::string> Kubectl::Run(std::vector<std::string> arguments) const {
  using ReadEnd = os::Program::ReadEnd;
  arguments.push_back(kRequestTimeout);
  auto started = Start(arguments);
  if (!started) return tl::unexpected(started.error());
  os::Program& program = (*started)->program();
  const os::Program::Limits limits{os::Program::Clock::now() + kLimit};
  std::string output;
  ReadEnd end = program.ReadOutput(limits, [&](std::string_view bytes) {
    output += bytes;
    return output.size() <= kOutputBytes;
  });
  if (end == ReadEnd::kEnough) return base::Fail(CommandOf(arguments) + " writes too much");
  if (end == ReadEnd::kClosed) end = program.ReadErrors(limits);
  if (end != ReadEnd::kClosed || !program.WaitForEnd(limits)) {
    return base::Fail(KubectlError(arguments, program.Errors() + "\nit did not end within two minutes"));
  }
  const std::string errors = program.Errors();
  if (program.Release().ExitCode() != 0) return base::Fail(KubectlError(arguments, errors));
  return output;
}

}  // namespace berth::ctl
