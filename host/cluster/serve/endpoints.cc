#include "cluster/serve/endpoints.h"

#include <algorithm>

#include "cluster/serve/query.h"

namespace berth::serve {
namespace {

constexpr const char* kJson = "application/json";
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

Endpoints::Endpoints(Checks checks, const metrics::Registry& registry)
    : health_{{"healthz", std::move(checks.healthz)},
              {"livez", std::move(checks.livez)},
              {"readyz", std::move(checks.readyz)}},
      registry_(registry) {}

void Endpoints::SetConfiguration(const json::Value& configuration) {
  configz_.Set(json::Dump(json::Value::MakeObject({{"componentconfig", configuration}})));
}

void Endpoints::SetPlugins(const std::vector<PluginEntry>& plugins) { plugins_.Set(PluginListJson(plugins)); }

http::Answer Endpoints::Get(std::string_view encoded_path, std::string_view query) const {
  const std::string path = DecodePath(encoded_path);
  if (path == "/metrics") return {200, kPrometheus, registry_.Text()};
  if (path == "/configz") return {200, kJson, *configz_.Get()};
  if (path == "/admin/v1/plugins") return {200, kJson, *plugins_.Get()};
  for (const Health& health : health_) {
    const std::string root = "/" + health.name();
    if (path == root) return health.All(query);
    if (!path.starts_with(root + "/")) continue;
    if (const auto answer = health.One(std::string_view(path).substr(root.size() + 1))) return *answer;
  }
  return {.status = 404, .body = "404 page not found\n"};
}

bool Endpoints::IsHealth(std::string_view encoded_path) const {
  const std::string path = DecodePath(encoded_path);
  return std::any_of(health_.begin(), health_.end(), [&](const Health& health) {
    return path == "/" + health.name() || path.starts_with("/" + health.name() + "/");
  });
}

}  // namespace berth::serve
