#include "client/credentials/in_cluster.h"

#include <sys/stat.h>

#include <memory>
#include <utility>

#include "client/credentials/environment_proxy.h"
#include "client/credentials/files.h"
#include "client/credentials/server_url.h"
#include "client/credentials/token_file.h"
#include "telemetry/log/log.h"

namespace berth::credentials {
namespace {

std::string TokenPath(const ProcessEnvironment& process) { return process.service_account_folder + "/token"; }

base::Result<Server> ServerOf(const Environment& environment) {
  const std::string& host = Variable(environment, "KUBERNETES_SERVICE_HOST");
  const std::string& port = Variable(environment, "KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty()) {
    return base::Fail(
        "unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined");
  }
  const bool brackets = host.find(':') != std::string::npos;
  base::Result<Server> server = ParseServer("https://" + (brackets ? "[" + host + "]" : host) + ":" + port);
  if (!server) return base::Fail("KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT: " + server.error().message);
  return server;
}

base::Result<std::string> CaOf(const ProcessEnvironment& process, LoadState& state) {
  const std::string path = process.service_account_folder + "/ca.crt";
  const base::Result<std::string>& text = state.files.Read(path);
  if (text && HoldsPemCertificate(*text)) return text;
  const std::string error = text ? "holds no PEM certificate" : text.error().message;
  if (!state.MayGuess()) return base::Fail("unable to read the cluster's CA " + path + ": " + error);
  log::Error("Expected to load the cluster's CA, the system's CAs serve instead", {{"path", path}, {"err", error}});
  return std::string();
}

}  // namespace

bool IsInCluster(const ProcessEnvironment& process) {
  struct stat status;
  return !Variable(process.environment, "KUBERNETES_SERVICE_HOST").empty() &&
         !Variable(process.environment, "KUBERNETES_SERVICE_PORT").empty() &&
         stat(TokenPath(process).c_str(), &status) == 0 && !S_ISDIR(status.st_mode);
}

base::Result<http::ClientOptions> InClusterOptions(const ProcessEnvironment& process, LoadState& state) {
  const base::Result<Server> server = ServerOf(process.environment);
  if (!server) return tl::unexpected(server.error());
  const auto source = std::make_shared<TokenFile>(TokenPath(process), "", *process.clock);
  if (const auto token = source->Token(); !token) return tl::unexpected(token.error());
  base::Result<std::string> proxy = ProxyFromEnvironment(process.environment, *server);
  if (!proxy) return tl::unexpected(proxy.error());
  base::Result<std::string> ca = CaOf(process, state);
  if (!ca) return tl::unexpected(ca.error());
  http::ClientOptions options;
  options.url = server->url;
  options.proxy_url = std::move(*proxy);
  options.tls.ca_pem = std::move(*ca);
  options.authorization = BearerFrom(source);
  options.unauthorized = [source] { source->Forget(); };
  return options;
}

}  // namespace berth::credentials
