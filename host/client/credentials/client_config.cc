#include "client/credentials/client_config.h"

#include <optional>
#include <utility>

#include "base/text.h"
#include "client/credentials/apply.h"
#include "client/credentials/environment_proxy.h"
#include "client/credentials/in_cluster.h"
#include "client/credentials/load_state.h"
#include "client/credentials/selection.h"
#include "client/credentials/server_url.h"
#include "telemetry/log/log.h"

namespace berth::credentials {
namespace {

using Options = base::Result<http::ClientOptions>;

constexpr const char* kNoConfiguration =
    "invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable";

// As client-go's errConfigurationInvalid: one error without brackets, several in brackets.
tl::unexpected<base::Error> Invalid(fields::Issues& issues) {
  std::vector<std::string> texts;
  for (const fields::Issue& issue : issues.Take()) texts.push_back(issue.Text());
  const std::string all = base::Join(texts, ", ");
  return base::Fail("invalid configuration: " + (texts.size() == 1 ? all : "[" + all + "]"));
}

Options Anonymous(const Server& server, const ProcessEnvironment& process) {
  base::Result<std::string> proxy = ProxyFromEnvironment(process.environment, server);
  if (!proxy) return tl::unexpected(proxy.error());
  http::ClientOptions options;
  options.url = server.url;
  options.proxy_url = std::move(*proxy);
  return options;
}

// The fallback without any configuration of the cluster.
Options Fallback(const ProcessEnvironment& process, LoadState& state) {
  if (!IsInCluster(process)) return base::Fail(kNoConfiguration);
  log::V(4, "Using in-cluster configuration");
  return InClusterOptions(process, state);
}

Options FromNothing(const ProcessEnvironment& process, LoadState& state) {
  if (state.strict) return InClusterOptions(process, state);
  log::Warning("Neither --kubeconfig nor --master was specified. Using the in-cluster configuration.");
  Options options = InClusterOptions(process, state);
  if (options) return options;
  log::Warning("No in-cluster configuration", {{"err", options.error().message}});
  return Fallback(process, state);
}

Options FromFile(const std::string& file, const std::optional<Server>& master, const ProcessEnvironment& process,
                 LoadState& state) {
  const base::Result<json::Value> root = ReadKubeconfig(file, state.files);
  if (!root) return tl::unexpected(root.error());
  fields::Issues issues(file, *root);
  Selection chosen = Select(*root, file, issues);
  if (!master && chosen.cluster.path.empty()) {
    if (issues.empty()) {
      if (!state.MayGuess()) return base::Fail("the kubeconfig selects no cluster");
      log::Warning("The kubeconfig selects no cluster",
                   {{"path", file}, {"currentContext", chosen.context}, {"cluster", chosen.cluster.name}});
      return Fallback(process, state);
    }
    issues.Add("clusters", "cluster has no server defined");
    return Invalid(issues);
  }
  const bool nobody = chosen.user.path.empty() && !chosen.user.name.empty();
  if (nobody && !state.MayGuess()) return base::Fail("the current context's user is not in the kubeconfig");
  if (master) chosen.cluster.tls_server_name.clear();  // it belongs to the other server
  http::ClientOptions options;
  const std::optional<Server> server = master ? master : ServerOf(chosen.cluster, issues);
  ApplyCluster(chosen.cluster, state.files, options, issues);
  ApplyUser(chosen.user, process, state.files, options, issues);
  if (!issues.empty() || !server) return Invalid(issues);
  options.url = server->url;
  if (options.proxy_url.empty()) {
    base::Result<std::string> proxy = ProxyFromEnvironment(process.environment, *server);
    if (!proxy) return tl::unexpected(proxy.error());
    options.proxy_url = std::move(*proxy);
  }
  ApplyExec(chosen, process, state, options);
  if (!server->endpoint.https) DropCredentials(options);
  return options;
}

Options WithProtocol(Options options, const ProcessEnvironment& process) {
  if (options) options->http2 = MaySpeakHttp2(process.environment);
  return options;
}

Options Load(const Target& target, const ProcessEnvironment& process, LoadState& state) {
  if (target.in_cluster) return InClusterOptions(process, state);
  std::optional<Server> master;
  if (!target.master_url.empty()) {
    base::Result<Server> server = ParseServer(target.master_url);
    if (!server) return base::Fail("--master: " + server.error().message);
    master = std::move(*server);
  }
  if (!target.kubeconfig_path.empty()) return FromFile(target.kubeconfig_path, master, process, state);
  return master ? Anonymous(*master, process) : FromNothing(process, state);
}

}  // namespace

Options LoadClientOptions(const Target& target, const ProcessEnvironment& process, LoadState& state) {
  return WithProtocol(Load(target, process, state), process);
}

Options LoadClientOptions(const Target& target, const ProcessEnvironment& process) {
  LoadState state;
  return LoadClientOptions(target, process, state);
}

Options LoadClientOptions(const Target& target) { return LoadClientOptions(target, EnvironmentOfProcess()); }

base::Result<http::ClientOptions> LoadClientOptionsFrom(const std::string& text, const std::string& name,
                                                        const ProcessEnvironment& process) {
  LoadState state;
  state.strict = true;  // a text without a cluster or a user is an error
  state.files.Put(name, text);
  return FromFile(name, std::nullopt, process, state);
}

}  // namespace berth::credentials
