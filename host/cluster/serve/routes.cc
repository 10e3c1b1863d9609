#include "cluster/serve/routes.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "cluster/serve/query.h"

namespace berth::serve {
namespace {

// byPrefixPriority in pathrecorder.go.
std::tuple<ptrdiff_t, size_t> PriorityOf(const Route& route) {
  return {std::count(route.path.begin(), route.path.end(), '/'), route.path.size()};
}

http::Answer NotAllowed(const Route& route) {
  http::Answer answer = PlainError(405, "Method Not Allowed");
  answer.headers.emplace_back("Allow", base::Join(route.methods, ", "));
  return answer;
}

}  // namespace

http::Headers NoSniff() { return {{"X-Content-Type-Options", "nosniff"}}; }

http::Answer PlainError(int status, std::string_view text) {
  return {.status = status, .body = std::string(text) + "\n", .headers = NoSniff()};
}

void Routes::Add(Route route) {
  std::erase_if(routes_, [&](const Route& old) { return old.path == route.path && old.prefix == route.prefix; });
  routes_.push_back(std::move(route));
}

const Route* Routes::Find(std::string_view path) const {
  const Route* best = nullptr;
  for (const Route& route : routes_) {
    if (!route.prefix && route.path == path) return &route;
    if (!route.prefix || !path.starts_with(route.path)) continue;
    if (best == nullptr || PriorityOf(*best) < PriorityOf(route)) best = &route;
  }
  return best;
}

http::Answer Routes::Serve(const http::Incoming& request) const {
  http::Incoming decoded = request;
  decoded.path = DecodePath(request.path);
  const Route* route = Find(decoded.path);
  if (route == nullptr) return PlainError(404, "404 page not found");
  const std::vector<std::string>& methods = route->methods;
  const bool allowed = methods.empty() || std::find(methods.begin(), methods.end(), request.method) != methods.end();
  return allowed ? route->handler(decoded) : NotAllowed(*route);
}

std::vector<std::string> Routes::ListedPaths() const {
  std::vector<std::string> paths;
  for (const Route& route : routes_) {
    if (route.listed) paths.push_back(route.path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace berth::serve
