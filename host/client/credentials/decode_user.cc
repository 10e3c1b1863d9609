#include "client/credentials/exec_answer.h"
#include "client/credentials/files.h"
#include "client/credentials/kubeconfig_fields.h"
#include "client/credentials/selection.h"

namespace berth::credentials {
namespace {

ExecConfig DecodeExec(const json::Value& object, std::string path, const std::string& file, fields::Issues& issues) {
  ExecConfig exec;
  exec.path = std::move(path);
  KubeconfigFields fields(object, exec.path, issues);
  exec.command = fields.TextAt("command");
  // A command without a slash is searched in PATH.
  if (exec.command.find('/') != std::string::npos) exec.command = Resolved(exec.command, FolderOf(file));
  fields.Strings("args", exec.args);
  const json::Array& env = fields.ListAt("env").array();
  for (size_t i = 0; i < env.size(); ++i) {
    KubeconfigFields variable(env[i], fields::Index(fields.PathOf("env"), i), issues);
    std::string name = variable.TextAt("name");
    exec.env.emplace_back(std::move(name), variable.TextAt("value"));
    variable.WarnOfUnknown(file);
  }
  exec.api_version = fields.TextAt("apiVersion");
  exec.install_hint = fields.TextAt("installHint");
  exec.provide_cluster_info = fields.BoolAt("provideClusterInfo");
  exec.interactive_mode = fields.TextAt("interactiveMode");
  if (exec.interactive_mode.empty() && exec.api_version == kExecV1beta1) {
    exec.interactive_mode = "IfAvailable";
  }
  fields.WarnOfUnknown(file);
  return exec;
}

}  // namespace

void DecodeUser(const json::Value& object, const std::string& file, User& user, fields::Issues& issues) {
  const std::string folder = FolderOf(file);
  KubeconfigFields fields(object, user.path, issues);
  user.certificate_file = Resolved(fields.TextAt("client-certificate"), folder);
  user.certificate_data = fields.BytesAt("client-certificate-data");
  user.key_file = Resolved(fields.TextAt("client-key"), folder);
  user.key_data = fields.BytesAt("client-key-data");
  user.token = fields.TextAt("token");
  user.token_file = Resolved(fields.TextAt("tokenFile"), folder);
  user.username = fields.TextAt("username");
  user.password = fields.TextAt("password");
  const json::Value& exec = fields.ObjectAt("exec");
  if (exec.is_object()) user.exec = DecodeExec(exec, fields.PathOf("exec"), file, issues);
  for (const char* name : {"as", "as-uid", "as-groups", "as-user-extra"}) {
    fields.Reject(name, "impersonation is not supported");
  }
  fields.Reject("auth-provider", "auth-provider is not supported; credential commands are (exec)");
  fields.Ignore({"extensions"});
  fields.WarnOfUnknown(file);
}

}  // namespace berth::credentials
