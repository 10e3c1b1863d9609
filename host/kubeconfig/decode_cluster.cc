#include "kubeconfig/fields.h"
#include "kubeconfig/files.h"
#include "kubeconfig/selection.h"

namespace berth::kubeconfig {
namespace {

// What the cluster wants credential commands to know, whatever it is.
json::Value ExecExtension(const json::Value& extensions) {
  for (const json::Value& entry : extensions.array()) {
    const json::Value* name = entry.Find("name");
    const json::Value* extension = entry.Find("extension");
    if (name && extension && name->string() == "client.authentication.k8s.io/exec") return *extension;
  }
  return {};
}

}  // namespace

void DecodeCluster(const json::Value& object, const std::string& file, Cluster& cluster, config::Issues& issues) {
  Fields fields(object, cluster.path, issues);
  cluster.server = fields.Text("server");
  cluster.tls_server_name = fields.Text("tls-server-name");
  cluster.insecure = fields.Flag("insecure-skip-tls-verify");
  cluster.ca_file = Resolved(fields.Text("certificate-authority"), FolderOf(file));
  cluster.ca_data = fields.Bytes("certificate-authority-data");
  cluster.proxy_url = fields.Text("proxy-url");
  cluster.disable_compression = fields.Flag("disable-compression");
  cluster.exec_config = ExecExtension(fields.List("extensions"));
  fields.WarnOfOthers(file);
}

}  // namespace berth::kubeconfig
