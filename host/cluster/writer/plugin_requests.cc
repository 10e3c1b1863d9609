#include "cluster/writer/plugin_requests.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "client/requests/api_status.h"
#include "codec/text/percent.h"

namespace berth::writer {
namespace {

constexpr std::array<std::string_view, 5> kVerbs{"GET", "POST", "PUT", "PATCH", "DELETE"};

void AppendPart(std::string& path, std::string_view part) {
  path += '/';
  const bool dots = part == "." || part == "..";  // would go up in the path
  dots ? text::AppendAllEncoded(path, part) : text::AppendPercentEncoded(path, part);
}

// Preemption requests: a victim's DisruptionTarget condition and its deletion.
requests::Turn TurnOf(const plugin::ApiRequest& request) {
  const bool pod = request.group.empty() && request.resource == "pods" && !request.name.empty();
  const bool deleted = request.verb == "DELETE" && request.subresource.empty();
  const bool status_patch = request.verb == "PATCH" && request.subresource == "status";
  return pod && (deleted || status_patch) ? requests::Turn::kEviction : requests::Turn::kRest;
}

plugin::ApiAnswer AnswerOf(http::Reply reply, const std::string& what) {
  if (reply.ok()) return {reply.status, std::move(reply.body), "", ""};
  requests::ApiStatus status = requests::StatusOf(reply, what);
  return {reply.status, std::move(reply.body), std::move(status.reason), std::move(status.message)};
}

}  // namespace

std::string ApiPath(const plugin::ApiRequest& request) {
  std::string path = request.group.empty() ? "/api" : "/apis";
  if (!request.group.empty()) AppendPart(path, request.group);
  AppendPart(path, request.version);
  if (!request.ns.empty()) {
    AppendPart(path, "namespaces");
    AppendPart(path, request.ns);
  }
  for (const std::string* part : {&request.resource, &request.name, &request.subresource}) {
    if (!part->empty()) AppendPart(path, *part);
  }
  return path;
}

void PluginRequests::Send(plugin::ApiRequest request, plugin::ApiPort::Done done) {
  if (std::find(kVerbs.begin(), kVerbs.end(), request.verb) == kVerbs.end()) {
    return done({0, "", "", "\"" + request.verb + "\" is no verb of the API server"});
  }
  const requests::Turn turn = TurnOf(request);
  http::Request raw;
  raw.method = request.verb;
  raw.path = ApiPath(request);
  std::string what = raw.method + " " + raw.path;
  raw.content_type = std::move(request.content_type);
  raw.body = std::move(request.body);
  queue_.Post(
      std::move(raw),
      [done = std::move(done), what = std::move(what)](http::Reply reply) { done(AnswerOf(std::move(reply), what)); },
      turn);
}

}  // namespace berth::writer
