// The paths of a server and their handlers. Source: k8s.io/apiserver/pkg/server/mux/pathrecorder.go.
//
//   Routes routes;
//   routes.Add({.path = "/configz", .handler = [](const http::Incoming&) { return http::Answer{...}; }});
//   routes.Add({.path = "/debug/flags/", .prefix = true, .listed = false, .handler = ...});
//
// Thread: Add before the first request; Serve on any thread, concurrently.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "client/http/incoming.h"

namespace berth::serve {

// request.path is decoded.
using Handler = std::function<http::Answer(const http::Incoming& request)>;

struct Route {
  std::string path;     // "/configz", decoded
  bool prefix = false;  // true: all paths that start with `path`, which ends with a slash
  bool listed = true;   // whether /statusz shows it
  // Any other method is answered with 405. Empty: every method, as upstream, where most handlers ignore it.
  std::vector<std::string> methods = {};
  Handler handler;
};

class Routes {
 public:
  // A route with the same path and prefix is replaced.
  void Add(Route route);
  // The answer of the route with exactly that path, or of the prefix with the most slashes, or 404.
  http::Answer Serve(const http::Incoming& request) const;
  std::vector<std::string> ListedPaths() const;  // sorted

 private:
  const Route* Find(std::string_view path) const;

  std::vector<Route> routes_;
};

// Plain text as Go's http.Error writes it.
http::Answer PlainError(int status, std::string_view text);
// A header of all answers that the client must not interpret otherwise.
http::Headers NoSniff();

}  // namespace berth::serve
