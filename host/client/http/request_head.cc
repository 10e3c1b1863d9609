#include "client/http/request_head.h"

#include <algorithm>

#include "base/text.h"
#include "client/http/tls.h"

namespace berth::http {
namespace {

std::string Authorization(const Peer& peer) {
  if (!peer.options.authorization) return {};
  Gate::Pass pass(*peer.gate);
  if (!pass) throw SetupFault("the transport is closed");
  auto value = peer.options.authorization();
  if (!value) throw SetupFault(value.error().message);
  if (std::any_of(value->begin(), value->end(), base::IsControl)) {
    throw SetupFault("the value for the Authorization header holds a control character");
  }
  return std::move(*value);
}

}  // namespace

void CheckObjection(const Peer& peer, const Request& request) {
  if (!request.objection) return;
  Gate::Pass pass(*peer.gate);
  if (!pass) throw SetupFault("the transport is closed");
  if (const char* why = request.objection()) throw SetupFault(why);
}

std::string HostHeader(const Peer& peer) {
  if (!peer.options.tls.server_name.empty()) return peer.options.tls.server_name;  // which is then also the SNI
  return peer.server.is_ipv6 ? peer.server.Address() : std::string();
}

std::vector<std::pair<const char*, std::string>> HeaderFields(const Peer& peer, const Request& request) {
  std::vector<std::pair<const char*, std::string>> fields{{"User-Agent", peer.options.user_agent}};
  if (!request.accept.empty()) fields.emplace_back("Accept", request.accept);
  if (!request.traceparent.empty()) fields.emplace_back("traceparent", request.traceparent);
  if (auto value = Authorization(peer); !value.empty()) fields.emplace_back("Authorization", std::move(value));
  return fields;
}

bool IsPath(const std::string& path) {
  return path.starts_with('/') && !path.starts_with("//") &&
         std::all_of(path.begin(), path.end(), [](unsigned char c) { return c > 0x20 && c < 0x7f; });
}

}  // namespace berth::http
