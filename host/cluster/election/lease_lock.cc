#include "cluster/election/lease_lock.h"

#include <utility>

#include "cluster/election/requests.h"
#include "telemetry/log/log.h"

namespace berth::election {

using requests::Encoding;

std::string LeasesPath(const std::string& ns) { return "/apis/coordination.k8s.io/v1/namespaces/" + ns + "/leases"; }

LeaseLock::LeaseLock(std::string ns, std::string name, requests::Encodings encodings)
    : ns_(std::move(ns)), name_(std::move(name)), encodings_(encodings) {}

http::Request LeaseLock::GetRequest() const {
  http::Request request;
  request.path = LeasesPath(ns_) + "/" + name_;
  request.accept = requests::AcceptOf(encodings_.replies);
  return request;
}

http::Request LeaseLock::CreateRequest(const ElectionRecord& record) const {
  return Write("POST", LeasesPath(ns_), encodings_.bodies, HeldLease::New(encodings_.bodies, ns_, name_, record));
}

http::Request LeaseLock::UpdateRequest(const ElectionRecord& record) const {
  const bool protobuf = encodings_.bodies == Encoding::kProtobuf && lease_->encoding() == Encoding::kProtobuf;
  const Encoding encoding = protobuf ? Encoding::kProtobuf : Encoding::kJson;
  return Write("PUT", LeasesPath(ns_) + "/" + name_, encoding, lease_->With(encoding, record));
}

http::Request LeaseLock::Write(const char* method, std::string path, Encoding encoding, std::string body) const {
  http::Request request;
  request.method = method;
  request.path = std::move(path);
  request.content_type = requests::TypeOf(encoding);
  request.accept = requests::AcceptOf(encodings_.replies);
  request.body = std::move(body);
  return request;
}

std::optional<requests::ApiStatus> LeaseLock::Accept(const http::Reply& reply, const char* verb) {
  if (!reply.ok()) return requests::StatusOf(reply, std::string(verb) + " lease " + ns_ + "/" + name_);
  auto lease = HeldLease::Of(reply.body);
  if (lease && lease->resource_version().empty()) lease = base::Fail("it has no resourceVersion");
  if (!lease) {
    if (encodings_.replies == Encoding::kProtobuf) {
      log::Warning("A Lease in protobuf cannot be read; requests for it are JSON from now on",
                   {{"err", lease.error().message}});
    }
    encodings_ = {};
    return requests::ApiStatus{0, "", "the reply is no Lease: " + lease.error().message};
  }
  lease_ = std::move(*lease);
  return std::nullopt;
}

bool LeaseLock::Refuses(const http::Reply& reply) {
  if (reply.status != requests::kUnsupportedMediaType || encodings_.bodies != Encoding::kProtobuf) return false;
  log::Warning(requests::kProtobufRefused, {{"err", requests::StatusOf(reply, "send protobuf").message}});
  encodings_ = {};
  return true;
}

}  // namespace berth::election
