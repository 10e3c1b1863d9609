#include "base/text.h"
#include "client/credentials/apply.h"
#include "client/credentials/files.h"
#include "client/credentials/redact.h"
#include "telemetry/log/log.h"

namespace berth::credentials {
namespace {

using fields::Child;

void ApplyCa(const Cluster& cluster, FileTexts& files, http::TlsOptions& tls, fields::Issues& issues) {
  const std::string file_field = Child(cluster.path, "certificate-authority");
  if (!cluster.ca_file.empty() && !cluster.ca_data.empty()) {
    issues.Add(file_field, "certificate-authority-data and certificate-authority are both specified for " +
                               cluster.name + "; one of them must go");
  }
  tls.ca_pem = cluster.ca_data;
  if (!cluster.ca_file.empty()) {
    const base::Result<std::string>& text = files.Read(cluster.ca_file);
    if (!text) {
      return issues.Add(file_field, "unable to read certificate-authority " + ShownPath(cluster.ca_file) + " for " +
                                        cluster.name + " due to " + text.error().message);
    }
    if (cluster.ca_data.empty()) tls.ca_pem = *text;
  }
  if (cluster.ca_file.empty() && cluster.ca_data.empty()) return;
  if (cluster.insecure) {
    issues.Add(Child(cluster.path, "insecure-skip-tls-verify"),
               "specifying a root certificates file with the insecure flag is not allowed");
  }
  if (!HoldsPemCertificate(tls.ca_pem)) {
    issues.Add(cluster.ca_data.empty() ? file_field : file_field + "-data",
               "unable to load root certificates: holds no PEM certificate");
  }
}

}  // namespace

std::optional<Server> ServerOf(const Cluster& cluster, fields::Issues& issues) {
  if (cluster.server.empty()) {
    issues.Add(cluster.path, "no server found for cluster " + base::Quoted(cluster.name));
    return std::nullopt;
  }
  base::Result<Server> server = ParseServer(cluster.server);
  if (server) return std::move(*server);
  issues.Add(Child(cluster.path, "server"), server.error().message);
  return std::nullopt;
}

void ApplyCluster(const Cluster& cluster, FileTexts& files, http::ClientOptions& options, fields::Issues& issues) {
  if (cluster.path.empty()) return;
  options.tls.insecure = cluster.insecure;
  options.tls.server_name = cluster.tls_server_name;
  ApplyCa(cluster, files, options.tls, issues);
  if (cluster.proxy_url.empty()) return;
  base::Result<std::string> proxy = ParseProxy(cluster.proxy_url);
  if (proxy) {
    options.proxy_url = std::move(*proxy);
  } else {
    issues.Add(Child(cluster.path, "proxy-url"), "invalid 'proxy-url' " + base::Quoted(ShownUrl(cluster.proxy_url)) +
                                                     " for cluster " + base::Quoted(cluster.name) + ": " +
                                                     proxy.error().message);
  }
}

void DropCredentials(http::ClientOptions& options) {
  if (options.authorization || options.tls.identity) {
    log::Warning("The API server's URL is not https, so requests are sent without credentials", {{"url", options.url}});
  }
  options.ready = nullptr;
  options.authorization = nullptr;
  options.unauthorized = nullptr;
  options.tls = {};
}

}  // namespace berth::credentials
