#include "cluster/serve/endpoints.h"

#include <algorithm>

#include "cluster/serve/query.h"

namespace berth::serve {
namespace {

constexpr const char* kJson = "application/json";
constexpr std::string_view kCacheControl = "Cache-Control";
constexpr const char* kPrometheus = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace

void Endpoints::Ready::Set(std::string text) {
  auto made = std::make_shared<const std::string>(std::move(text));
  base::MutexLock lock(mutex_);
  text_.swap(made);
}

std::shared_ptr<const std::string> Endpoints::Ready::Get() const {
  base::MutexLock lock(mutex_);
  return text_;
}

Endpoints::Endpoints(Checks checks, const metrics::Registry& registry, MoreMetrics more, PageSet pages)
    : health_{{"healthz", std::move(checks.healthz), more.health},
              {"livez", std::move(checks.livez), more.health},
              {"readyz", std::move(checks.readyz), more.health}} {
  for (const Health& health : health_) AddHealth(health);
  AddMetrics(registry, std::move(more));
  if (pages == PageSet::kScheduler) AddSchedulerPages();
}

void Endpoints::AddSchedulerPages() {
  routes_.Add({.path = "/configz", .handler = [this](const http::Incoming&) {
                 return http::Answer{200, kJson, *configz_.Get(), NoSniff()};
               }});
  routes_.Add({.path = "/admin/v1/plugins", .methods = {"GET", "HEAD"}, .handler = [this](const http::Incoming&) {
                 return http::Answer{200, kJson, *plugins_.Get(), NoSniff()};
               }});
}

void Endpoints::AddMetrics(const metrics::Registry& registry, MoreMetrics more) {
  routes_.Add({.path = "/metrics", .handler = [&registry](const http::Incoming&) {
                 return http::Answer{200, kPrometheus, registry.Text()};
               }});
  if (more.slis != nullptr) {
    routes_.Add({.path = "/metrics/slis", .handler = [slis = more.slis](const http::Incoming&) {
                   return http::Answer{200, kPrometheus, slis->Text()};
                 }});
  }
  if (more.resources) {
    routes_.Add({.path = "/metrics/resources",
                 .handler = [resources = std::move(more.resources)](const http::Incoming&) { return resources(); }});
  }
}

void Endpoints::AddHealth(const Health& health) {
  const std::string root = "/" + health.name();
  routes_.Add(
      {.path = root, .handler = [&health](const http::Incoming& request) { return health.All(request.query); }});
  for (const std::string& name : health.CheckNames()) {
    routes_.Add(
        {.path = root + "/" + name, .handler = [&health, name](const http::Incoming&) { return *health.One(name); }});
  }
}

void Endpoints::SetConfiguration(const json::Value& configuration) {
  configz_.Set(json::Dump(json::Value::MakeObject({{"componentconfig", configuration}})));
}

void Endpoints::SetPlugins(const std::vector<PluginEntry>& plugins) { plugins_.Set(PluginListJson(plugins)); }

http::Answer Endpoints::Get(const http::Incoming& request) const {
  http::Answer answer = routes_.Serve(request);
  const bool set = std::any_of(answer.headers.begin(), answer.headers.end(),
                               [](const auto& header) { return header.first == kCacheControl; });
  if (!set) answer.headers.emplace_back(kCacheControl, "no-cache, private");
  return answer;
}

bool Endpoints::IsHealth(std::string_view encoded_path) const {
  const std::string path = DecodePath(encoded_path);
  return std::any_of(health_.begin(), health_.end(), [&](const Health& health) {
    return path == "/" + health.name() || path.starts_with("/" + health.name() + "/");
  });
}

}  // namespace berth::serve
