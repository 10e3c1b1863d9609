// The requests of an election about its Lease (coordination.k8s.io/v1), and what their replies say. Keeps the Lease
// that was read or written last: an update succeeds only if nothing has changed it since. Source:
// k8s.io/client-go/tools/leaderelection/resourcelock/leaselock.go. Thread: one.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "client/http/transport.h"
#include "client/requests/api_status.h"
#include "cluster/election/election_record.h"
#include "codec/json/value.h"

namespace berth::election {

// "/apis/coordination.k8s.io/v1/namespaces/NS/leases"
std::string LeasesPath(const std::string& ns);

class LeaseLock {
 public:
  LeaseLock(std::string ns, std::string name);

  http::Request GetRequest() const;
  http::Request CreateRequest(const ElectionRecord& record) const;
  // The Lease is known: a reply was accepted before.
  http::Request UpdateRequest(const ElectionRecord& record) const;

  // The reply to any of them: the Lease as the server has it now.
  std::optional<requests::ApiStatus> Accept(const http::Reply& reply, const char* verb);  // nullopt: accepted

  bool known() const { return lease_.is_object(); }
  ElectionRecord record() const { return RecordOf(lease_); }
  std::string uid() const { return json::TextAt(lease_, "metadata.uid"); }
  std::string resource_version() const { return json::TextAt(lease_, "metadata.resourceVersion"); }

 private:
  const std::string ns_, name_;
  json::Value lease_;
};

}  // namespace berth::election
