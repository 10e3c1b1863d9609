#include "client/credentials/check_exec.h"

#include "base/text.h"
#include "client/credentials/exec_answer.h"
#include "client/credentials/redact.h"

namespace berth::credentials {
namespace {

using fields::Child;

constexpr const char* kUse = " to use exec authentication plugin";

void CheckVersion(const std::string& user, const ExecConfig& exec, fields::Issues& issues) {
  if (exec.api_version == kExecV1 || exec.api_version == kExecV1beta1) return;
  const std::string field = Child(exec.path, "apiVersion");
  if (exec.api_version.empty()) return issues.Add(field, "apiVersion must be specified for " + user + kUse);
  issues.Add(field, std::string("exec plugin: invalid apiVersion; known are ") + kExecV1 + " and " + kExecV1beta1);
}

void CheckMode(const std::string& user, const ExecConfig& exec, fields::Issues& issues) {
  const std::string& mode = exec.interactive_mode;
  const std::string field = Child(exec.path, "interactiveMode");
  if (mode == "Never" || mode == "IfAvailable") return;
  if (mode == "Always") {
    return issues.Add(field, "exec plugin cannot support interactive mode: standard input is not a terminal");
  }
  if (mode.empty()) return issues.Add(field, "interactiveMode must be specified for " + user + kUse);
  issues.Add(field, "invalid interactiveMode for " + user + ": " + base::Quoted(ShownName(mode)));
}

}  // namespace

void CheckExec(const std::string& user, const ExecConfig& exec, fields::Issues& issues) {
  if (exec.command.empty()) {
    issues.Add(Child(exec.path, "command"), "command must be specified for " + user + kUse);
  }
  CheckVersion(user, exec, issues);
  CheckMode(user, exec, issues);
  for (size_t i = 0; i < exec.env.size(); ++i) {
    if (!exec.env[i].first.empty()) continue;
    issues.Add(fields::Index(Child(exec.path, "env"), i), "env variable name must be specified for " + user + kUse);
  }
}

}  // namespace berth::credentials
