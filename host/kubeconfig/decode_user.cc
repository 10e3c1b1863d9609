#include "kubeconfig/exec_answer.h"
#include "kubeconfig/fields.h"
#include "kubeconfig/files.h"
#include "kubeconfig/selection.h"

namespace berth::kubeconfig {
namespace {

ExecConfig DecodeExec(const json::Value& object, std::string path, const std::string& file, config::Issues& issues) {
  ExecConfig exec;
  exec.path = std::move(path);
  Fields fields(object, exec.path, issues);
  exec.command = fields.Text("command");
  // One without a slash is looked up in PATH.
  if (exec.command.find('/') != std::string::npos) exec.command = Resolved(exec.command, FolderOf(file));
  exec.args = fields.Texts("args");
  const json::Array& env = fields.List("env").array();
  for (size_t i = 0; i < env.size(); ++i) {
    Fields variable(env[i], config::Index(fields.PathOf("env"), i), issues);
    std::string name = variable.Text("name");
    exec.env.emplace_back(std::move(name), variable.Text("value"));
    variable.WarnOfOthers(file);
  }
  exec.api_version = fields.Text("apiVersion");
  exec.install_hint = fields.Text("installHint");
  exec.provide_cluster_info = fields.Flag("provideClusterInfo");
  exec.interactive_mode = fields.Text("interactiveMode");
  if (exec.interactive_mode.empty() && exec.api_version == kExecV1beta1) {
    exec.interactive_mode = "IfAvailable";
  }
  fields.WarnOfOthers(file);
  return exec;
}

}  // namespace

void DecodeUser(const json::Value& object, const std::string& file, User& user, config::Issues& issues) {
  const std::string folder = FolderOf(file);
  Fields fields(object, user.path, issues);
  user.certificate_file = Resolved(fields.Text("client-certificate"), folder);
  user.certificate_data = fields.Bytes("client-certificate-data");
  user.key_file = Resolved(fields.Text("client-key"), folder);
  user.key_data = fields.Bytes("client-key-data");
  user.token = fields.Text("token");
  user.token_file = Resolved(fields.Text("tokenFile"), folder);
  user.username = fields.Text("username");
  user.password = fields.Text("password");
  const json::Value& exec = fields.Object("exec");
  if (exec.is_object()) user.exec = DecodeExec(exec, fields.PathOf("exec"), file, issues);
  for (const char* name : {"as", "as-uid", "as-groups", "as-user-extra"}) {
    fields.Refuse(name, "impersonation is not supported");
  }
  fields.Refuse("auth-provider", "auth-provider is not supported; credential commands are (exec)");
  fields.Ignore({"extensions"});
  fields.WarnOfOthers(file);
}

}  // namespace berth::kubeconfig
