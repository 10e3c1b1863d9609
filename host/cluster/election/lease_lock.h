// The requests of an election about its Lease (coordination.k8s.io/v1), and what their replies say. Keeps the Lease
// that was read or written last: an update succeeds only if nothing has changed it since. An update is in
// protobuf if the Lease came so. If the server refuses protobuf, or a reply is no Lease, every request is JSON from
// then on. Source: k8s.io/client-go/tools/leaderelection/resourcelock/leaselock.go. Thread: one.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "client/http/transport.h"
#include "client/requests/api_status.h"
#include "client/requests/encoding.h"
#include "cluster/election/election_record.h"
#include "cluster/election/held_lease.h"

namespace berth::election {

// "/apis/coordination.k8s.io/v1/namespaces/NS/leases"
std::string LeasesPath(const std::string& ns);

class LeaseLock {
 public:
  LeaseLock(std::string ns, std::string name, requests::Encodings encodings = {});

  http::Request GetRequest() const;
  http::Request CreateRequest(const ElectionRecord& record) const;
  // The Lease is known: a reply was accepted before.
  http::Request UpdateRequest(const ElectionRecord& record) const;

  // The reply to any of them: the Lease as the server has it now.
  std::optional<requests::ApiStatus> Accept(const http::Reply& reply, const char* verb);  // nullopt: accepted

  // Whether the server has not read the request because it is protobuf. The caller makes the request again, as JSON.
  bool Refuses(const http::Reply& reply);

  bool known() const { return lease_.has_value(); }
  ElectionRecord record() const { return lease_ ? lease_->record() : ElectionRecord{}; }
  std::string uid() const { return lease_ ? lease_->uid() : ""; }
  std::string resource_version() const { return lease_ ? lease_->resource_version() : ""; }

 private:
  http::Request Write(const char* method, std::string path, requests::Encoding encoding, std::string body) const;

  const std::string ns_, name_;
  requests::Encodings encodings_;
  std::optional<HeldLease> lease_;
};

}  // namespace berth::election
