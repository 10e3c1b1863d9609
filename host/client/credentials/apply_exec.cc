#include <memory>
#include <utility>

#include "client/credentials/apply.h"
#include "client/credentials/exec_source.h"
#include "codec/text/base64.h"

namespace berth::credentials {
namespace {

// The Cluster of client.authentication.k8s.io: the data with which a command can reach the server.
json::Value ClusterInfo(const Cluster& cluster, const http::ClientOptions& options) {
  json::Value info = json::Value::MakeObject({{"server", options.url}});
  if (!options.tls.server_name.empty()) info.Set("tls-server-name", options.tls.server_name);
  if (options.tls.insecure) info.Set("insecure-skip-tls-verify", true);
  if (!options.tls.ca_pem.empty()) {
    info.Set("certificate-authority-data", text::EncodeBase64(options.tls.ca_pem));
  }
  if (!cluster.proxy_url.empty()) info.Set("proxy-url", cluster.proxy_url);
  if (cluster.disable_compression) info.Set("disable-compression", true);
  info.Set("config", cluster.exec_config);
  return info;
}

}  // namespace

void ApplyExec(const Selection& chosen, const ProcessEnvironment& process, LoadState& state,
               http::ClientOptions& options) {
  const std::shared_ptr<ExecSource> former = std::exchange(state.exec, nullptr);
  if (!chosen.user.exec || options.authorization || options.tls.identity) return;
  const ExecConfig& exec = *chosen.user.exec;
  const json::Value cluster = exec.provide_cluster_info ? ClusterInfo(chosen.cluster, options) : json::Value();
  ExecCommand command(exec, cluster, process);
  const bool same = former && former->command() == command;
  const auto source = same ? former : std::make_shared<ExecSource>(std::move(command), *process.clock);
  state.exec = source;
  options.ready = [source](std::function<void()> later) { return source->Ready(std::move(later)); };
  options.authorization = [source]() -> base::Result<std::string> {
    const base::Result<ExecCredentials> credentials = source->Get();
    if (!credentials) return tl::unexpected(credentials.error());
    return credentials->token.empty() ? "" : "Bearer " + credentials->token;
  };
  options.unauthorized = [source] { source->Forget(); };
  options.tls.identity = [source]() -> base::Result<http::TlsOptions::Identity> {
    base::Result<ExecCredentials> credentials = source->Get();
    if (!credentials) return tl::unexpected(credentials.error());
    return http::TlsOptions::Identity{std::move(credentials->certificate_pem), std::move(credentials->key_pem)};
  };
  options.tls.identity_version = [source] { return source->certificate_version(); };
}

}  // namespace berth::credentials
