#include "cmd/berthctl/kubectl/cluster_connection.h"

#include <fstream>
#include <memory>
#include <utility>

#include "base/read_all.h"
#include "client/credentials/client_config.h"
#include "cmd/berthctl/kubectl/tunnel.h"
#include "codec/json/value.h"
#include "codec/text/trim.h"

namespace berth::ctl {
namespace {

using credentials::ProcessEnvironment;

// The kubeconfig with one context and the content of its certificate files. It contains secrets.
base::Result<std::string> Kubeconfig(const Kubectl& kubectl) {
  return kubectl.Run({"config", "view", "--raw", "--minify", "--flatten", "--output=json"});
}

std::string NamespaceIn(const std::string& kubeconfig) {
  const auto root = json::Parse(kubeconfig);
  const json::Value* contexts = root && root->is_object() ? root->Find("contexts") : nullptr;
  std::string found;
  if (contexts != nullptr && contexts->is_array() && contexts->array().size() == 1) {
    found = json::TextAt(contexts->array()[0], "context.namespace");
  }
  return found.empty() ? "default" : found;
}

base::Result<void> TrustScheduler(const ClusterOptions& options, http::TlsOptions& tls) {
  tls.insecure = options.ca_file.empty();
  tls.server_name = options.server_name;
  tls.ca_pem.clear();
  if (tls.insecure) return {};
  std::ifstream file(options.ca_file);
  tls.ca_pem = base::ReadAll(file);
  if (!file || tls.ca_pem.empty()) return base::Fail("--scheduler-ca: cannot read " + options.ca_file);
  return {};
}

// The user's credentials, without the address of the API server and its certificate authority.
base::Result<http::ClientOptions> OptionsOf(const std::string& kubeconfig, const ProcessEnvironment& process) {
  auto options = credentials::LoadClientOptionsFrom(kubeconfig, "the kubeconfig of kubectl config view", process);
  if (!options) return options;
  if (!options->authorization && !options->tls.identity) {
    return base::Fail(options->url.starts_with("https:")
                          ? "the kubeconfig has no credentials, and the scheduler answers known users only"
                          : "the kubeconfig's server is not https, so its credentials are not sent to the scheduler");
  }
  options->proxy_url.clear();
  return options;
}

std::string Advice(const http::Reply& reply, Tunnel& tunnel) {
  if (reply.status == 0) {
    const std::string errors(text::Trim(tunnel.Errors(), text::kSpace));
    return errors.empty() ? "" : "\nkubectl port-forward: " + errors;
  }
  if (reply.status == 401) {
    return "\nThe scheduler does not know the user of the kubeconfig: it accepts tokens that the API server accepts, "
           "and "
           "certificates of its --client-ca-file.";
  }
  if (reply.status != 403) return "";
  return "\nThe user needs the ClusterRole berth-explain of docs/decisions.md, with all of its rules.";
}

}  // namespace

base::Result<ClusterConnection> ConnectToCluster(const ClusterOptions& options, std::chrono::seconds timeout) {
  const ProcessEnvironment process = credentials::EnvironmentOfProcess();
  const auto kubectl = Kubectl::Find(options.kubectl, process.environment);
  if (!kubectl) return tl::unexpected(kubectl.error());
  const auto kubeconfig = Kubeconfig(*kubectl);
  if (!kubeconfig) return tl::unexpected(kubeconfig.error());
  const auto pod = LeaderOf(options.place, *kubectl);
  if (!pod) return tl::unexpected(pod.error());
  auto opened = Tunnel::Open(*kubectl, options.place.name_space, *pod, options.port);
  if (!opened) return tl::unexpected(opened.error());
  const std::shared_ptr<Tunnel> tunnel = std::move(*opened);
  auto client_options = OptionsOf(*kubeconfig, process);  // now, because a credential command gets a thread
  if (!client_options) return tl::unexpected(client_options.error());
  if (const auto done = TrustScheduler(options, client_options->tls); !done) return tl::unexpected(done.error());
  client_options->url = "https://" + tunnel->address();
  client_options->timeout = timeout;
  auto client = http::MakeRestClient(*std::move(client_options));
  if (!client) return tl::unexpected(client.error());
  AdminConnection scheduler{
      .way = tunnel, .client = std::move(*client), .name = "pod " + options.place.name_space + "/" + *pod + ": "};
  scheduler.advice = [tunnel](const http::Reply& reply) { return Advice(reply, *tunnel); };
  return ClusterConnection{std::move(scheduler), NamespaceIn(*kubeconfig)};
}

}  // namespace berth::ctl
