#include "kubeconfig/in_cluster.h"

#include <sys/stat.h>

#include <memory>
#include <utility>

#include "kubeconfig/environment_proxy.h"
#include "kubeconfig/files.h"
#include "kubeconfig/server_url.h"
#include "kubeconfig/token_file.h"
#include "log/log.h"

namespace berth::kubeconfig {
namespace {

std::string TokenPath(const Surroundings& surroundings) { return surroundings.service_account_folder + "/token"; }

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

std::string CaOf(const Surroundings& surroundings) {
  const std::string path = surroundings.service_account_folder + "/ca.crt";
  base::Result<std::string> text = ReadSmallFile(path);
  if (text && HoldsPemCertificate(*text)) return std::move(*text);
  log::Error("Expected to load the cluster's CA, the system's CAs serve instead",
             {{"path", path}, {"err", text ? "holds no PEM certificate" : text.error().message}});
  return {};
}

}  // namespace

bool IsInCluster(const Surroundings& surroundings) {
  struct stat status;
  return !Variable(surroundings.environment, "KUBERNETES_SERVICE_HOST").empty() &&
         !Variable(surroundings.environment, "KUBERNETES_SERVICE_PORT").empty() &&
         stat(TokenPath(surroundings).c_str(), &status) == 0 && !S_ISDIR(status.st_mode);
}

base::Result<http::ClientOptions> InClusterOptions(const Surroundings& surroundings) {
  const base::Result<Server> server = ServerOf(surroundings.environment);
  if (!server) return tl::unexpected(server.error());
  const auto source = std::make_shared<TokenFile>(TokenPath(surroundings), "", *surroundings.clock);
  if (const auto token = source->Token(); !token) return tl::unexpected(token.error());
  base::Result<std::string> proxy = ProxyFromEnvironment(surroundings.environment, *server);
  if (!proxy) return tl::unexpected(proxy.error());
  http::ClientOptions options;
  options.url = server->url;
  options.proxy_url = std::move(*proxy);
  options.tls.ca_pem = CaOf(surroundings);
  options.authorization = BearerFrom(source);
  options.unauthorized = [source] { source->Forget(); };
  return options;
}

}  // namespace berth::kubeconfig
