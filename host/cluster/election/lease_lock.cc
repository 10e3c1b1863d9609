#include "cluster/election/lease_lock.h"

#include <utility>

#include "cluster/election/requests.h"

namespace berth::election {
std::string LeasesPath(const std::string& ns) { return "/apis/coordination.k8s.io/v1/namespaces/" + ns + "/leases"; }

LeaseLock::LeaseLock(std::string ns, std::string name) : ns_(std::move(ns)), name_(std::move(name)) {}

http::Request LeaseLock::GetRequest() const {
  http::Request request;
  request.path = LeasesPath(ns_) + "/" + name_;
  return request;
}

http::Request LeaseLock::CreateRequest(const ElectionRecord& record) const {
  json::Value lease =
      json::Value::MakeObject({{"apiVersion", "coordination.k8s.io/v1"},
                               {"kind", "Lease"},
                               {"metadata", json::Value::MakeObject({{"name", name_}, {"namespace", ns_}})}});
  SetRecord(lease, record);
  return WriteRequest("POST", LeasesPath(ns_), lease);
}

http::Request LeaseLock::UpdateRequest(const ElectionRecord& record) const {
  json::Value lease = lease_;
  SetRecord(lease, record);
  return WriteRequest("PUT", LeasesPath(ns_) + "/" + name_, lease);
}

std::optional<requests::ApiStatus> LeaseLock::Accept(const http::Reply& reply, const char* verb) {
  if (!reply.ok()) return requests::StatusOf(reply, std::string(verb) + " lease " + ns_ + "/" + name_);
  auto lease = json::Parse(reply.body);
  if (!lease) return requests::ApiStatus{0, "", "the reply is no Lease: " + lease.error().message};
  if (json::TextAt(*lease, "metadata.resourceVersion").empty()) {
    return requests::ApiStatus{0, "", "the reply is no Lease: it has no resourceVersion"};
  }
  lease_ = std::move(*lease);
  return std::nullopt;
}

}  // namespace berth::election
