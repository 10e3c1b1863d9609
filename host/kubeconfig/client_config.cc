#include "kubeconfig/client_config.h"

#include <optional>
#include <utility>

#include "base/text.h"
#include "kubeconfig/apply.h"
#include "kubeconfig/environment_proxy.h"
#include "kubeconfig/in_cluster.h"
#include "kubeconfig/selection.h"
#include "kubeconfig/server_url.h"
#include "kubeconfig/sources.h"
#include "log/log.h"

namespace berth::kubeconfig {
namespace {

using Options = base::Result<http::ClientOptions>;

constexpr const char* kNoConfiguration =
    "invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable";

// As client-go's errConfigurationInvalid: one bare, several in brackets.
tl::unexpected<base::Error> Invalid(config::Issues& issues) {
  std::vector<std::string> texts;
  for (const config::Issue& issue : issues.Take()) texts.push_back(issue.Text());
  const std::string all = base::Join(texts, ", ");
  return base::Fail("invalid configuration: " + (texts.size() == 1 ? all : "[" + all + "]"));
}

Options Anonymous(const Server& server, const Surroundings& surroundings) {
  base::Result<std::string> proxy = ProxyFromEnvironment(surroundings.environment, server);
  if (!proxy) return tl::unexpected(proxy.error());
  http::ClientOptions options;
  options.url = server.url;
  options.proxy_url = std::move(*proxy);
  return options;
}

// What is left where nothing says which cluster.
Options Fallback(const Surroundings& surroundings, Sources& sources) {
  if (!IsInCluster(surroundings)) return base::Fail(kNoConfiguration);
  log::V(4, "Using in-cluster configuration");
  return InClusterOptions(surroundings, sources);
}

Options FromNothing(const Surroundings& surroundings, Sources& sources) {
  if (sources.strict) return InClusterOptions(surroundings, sources);
  log::Warning("Neither --kubeconfig nor --master was specified. Using the in-cluster configuration.");
  Options options = InClusterOptions(surroundings, sources);
  if (options) return options;
  log::Warning("No in-cluster configuration", {{"err", options.error().message}});
  return Fallback(surroundings, sources);
}

Options FromFile(const std::string& file, const std::optional<Server>& master, const Surroundings& surroundings,
                 Sources& sources) {
  const base::Result<json::Value> root = ReadKubeconfig(file, sources.files);
  if (!root) return tl::unexpected(root.error());
  config::Issues issues(file, *root);
  Selection chosen = Select(*root, file, issues);
  if (!master && chosen.cluster.path.empty()) {
    if (issues.empty()) {
      if (!sources.MayGuess()) return base::Fail("the kubeconfig selects no cluster");
      log::Warning("The kubeconfig selects no cluster",
                   {{"path", file}, {"currentContext", chosen.context}, {"cluster", chosen.cluster.name}});
      return Fallback(surroundings, sources);
    }
    issues.Add("clusters", "cluster has no server defined");
    return Invalid(issues);
  }
  const bool nobody = chosen.user.path.empty() && !chosen.user.name.empty();
  if (nobody && !sources.MayGuess()) return base::Fail("the current context's user is not in the kubeconfig");
  if (master) chosen.cluster.tls_server_name.clear();  // it was meant for the other server
  http::ClientOptions options;
  const std::optional<Server> server = master ? master : ServerOf(chosen.cluster, issues);
  ApplyCluster(chosen.cluster, sources.files, options, issues);
  ApplyUser(chosen.user, surroundings, sources.files, options, issues);
  if (!issues.empty() || !server) return Invalid(issues);
  options.url = server->url;
  if (options.proxy_url.empty()) {
    base::Result<std::string> proxy = ProxyFromEnvironment(surroundings.environment, *server);
    if (!proxy) return tl::unexpected(proxy.error());
    options.proxy_url = std::move(*proxy);
  }
  ApplyExec(chosen, surroundings, sources, options);
  if (!server->endpoint.https) DropCredentials(options);
  return options;
}

}  // namespace

Options LoadClientOptions(const Target& target, const Surroundings& surroundings, Sources& sources) {
  std::optional<Server> master;
  if (!target.master_url.empty()) {
    base::Result<Server> server = ParseServer(target.master_url);
    if (!server) return base::Fail("--master: " + server.error().message);
    master = std::move(*server);
  }
  if (!target.kubeconfig_path.empty()) return FromFile(target.kubeconfig_path, master, surroundings, sources);
  return master ? Anonymous(*master, surroundings) : FromNothing(surroundings, sources);
}

Options LoadClientOptions(const Target& target, const Surroundings& surroundings) {
  Sources sources;
  return LoadClientOptions(target, surroundings, sources);
}

Options LoadClientOptions(const Target& target) { return LoadClientOptions(target, SurroundingsOfProcess()); }

}  // namespace berth::kubeconfig
