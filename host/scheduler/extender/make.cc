#include "scheduler/extender/make.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "client/credentials/environment_proxy.h"
#include "codec/fields/issue.h"
#include "scheduler/extender/extender_tls.h"
#include "scheduler/extender/http_extender.h"
#include "telemetry/log/log.h"

namespace berth::extender {
namespace {

constexpr std::chrono::nanoseconds kDefaultTimeout = std::chrono::seconds(5);

std::string WithoutSlash(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  return url;
}

base::Result<std::unique_ptr<Server>> ServerOf(const config::Extender& extender, const std::string& path,
                                               const credentials::Environment& environment) {
  const std::string url = WithoutSlash(extender.url_prefix.Reveal());
  const auto fail = [&](const base::Error& error) { return base::Fail(path + ".urlPrefix: " + error.message); };
  auto endpoint = http::ParseEndpoint(url, http::UrlKind::kServer);
  if (!endpoint) return fail(endpoint.error());
  http::ClientOptions options{.url = url};
  auto proxy = credentials::ProxyFromEnvironment(environment, {url, std::move(*endpoint)});
  if (!proxy) return fail(proxy.error());
  options.proxy_url = std::move(*proxy);
  auto tls = TlsOf(extender, path);
  if (!tls) return tl::unexpected(tls.error());
  options.tls = std::move(*tls);
  options.http2 = credentials::MaySpeakHttp2(environment);
  auto server =
      Server::Make(std::move(options), extender.http_timeout.count() == 0 ? kDefaultTimeout : extender.http_timeout);
  if (!server) return fail(server.error());
  return server;
}

framework::ExtenderTraits TraitsOf(const config::Extender& extender) {
  return {.name = extender.url_prefix.Reveal(),  // valid, so it contains no user information and no query
          .weight = extender.weight,
          .ignorable = extender.ignorable,
          .has_filter = !extender.filter_verb.empty(),
          .has_prioritize = !extender.prioritize_verb.empty(),
          .has_bind = !extender.bind_verb.empty(),
          .has_preempt = !extender.preempt_verb.empty(),
          .node_cache_capable = extender.node_cache_capable};
}

base::Result<std::unique_ptr<framework::Extender>> MakeOne(const config::Extender& extender, const std::string& path,
                                                           api::InternTables& intern,
                                                           const credentials::Environment& environment) {
  auto server = ServerOf(extender, path, environment);
  if (!server) return tl::unexpected(server.error());
  std::vector<std::string> managed;
  for (const config::ManagedResource& resource : extender.managed_resources) managed.push_back(resource.name);
  return std::make_unique<HttpExtender>(
      TraitsOf(extender),
      Verbs{extender.filter_verb, extender.prioritize_verb, extender.bind_verb, extender.preempt_verb}, managed, intern,
      std::move(*server));
}

}  // namespace

base::Result<Extenders> Make(const config::Configuration& configuration, api::InternTables& intern,
                             const credentials::Environment& environment) {
  Extenders extenders;
  for (size_t i = 0; i < configuration.extenders.size(); ++i) {
    const config::Extender& of = configuration.extenders[i];
    log::V(2, "Creating extender", {{"extender", of.url_prefix.Shown()}});
    auto extender = MakeOne(of, fields::Index("extenders", i), intern, environment);
    if (!extender) return base::Fail("couldn't build extenders: " + extender.error().message);
    extenders.push_back(std::move(*extender));
  }
  std::stable_partition(extenders.begin(), extenders.end(),
                        [](const auto& extender) { return !extender->ignorable(); });
  return extenders;
}

base::Result<Extenders> Make(const config::Configuration& configuration, api::InternTables& intern) {
  return Make(configuration, intern, credentials::EnvironmentOfProcess().environment);
}

std::string WhyNoServer(const std::string& url_prefix) {
  const auto endpoint = http::ParseEndpoint(WithoutSlash(url_prefix), http::UrlKind::kServer);
  return endpoint ? "" : endpoint.error().message;
}

std::vector<std::string> IgnoredResources(const config::Configuration& configuration) {
  std::vector<std::string> ignored;
  for (const config::Extender& extender : configuration.extenders) {
    for (const config::ManagedResource& resource : extender.managed_resources) {
      if (resource.ignored_by_scheduler) ignored.push_back(resource.name);
    }
  }
  return ignored;
}

}  // namespace berth::extender
