#include "client/credentials/files.h"
#include "client/credentials/kubeconfig_fields.h"
#include "client/credentials/selection.h"

namespace berth::credentials {
namespace {

// The cluster's extension for credential commands.
json::Value ExecExtension(const json::Value& extensions) {
  for (const json::Value& entry : extensions.array()) {
    const json::Value* name = entry.Find("name");
    const json::Value* extension = entry.Find("extension");
    if (name && extension && name->string() == "client.authentication.k8s.io/exec") return *extension;
  }
  return {};
}

}  // namespace

void DecodeCluster(const json::Value& object, const std::string& file, Cluster& cluster, fields::Issues& issues) {
  KubeconfigFields fields(object, cluster.path, issues);
  cluster.server = fields.TextAt("server");
  cluster.tls_server_name = fields.TextAt("tls-server-name");
  cluster.insecure = fields.BoolAt("insecure-skip-tls-verify");
  cluster.ca_file = Resolved(fields.TextAt("certificate-authority"), FolderOf(file));
  cluster.ca_data = fields.BytesAt("certificate-authority-data");
  cluster.proxy_url = fields.TextAt("proxy-url");
  cluster.disable_compression = fields.BoolAt("disable-compression");
  cluster.exec_config = ExecExtension(fields.ListAt("extensions"));
  fields.WarnOfUnknown(file);
}

}  // namespace berth::credentials
