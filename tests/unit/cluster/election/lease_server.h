// The Leases of an API server: get, create, and update with resourceVersion. Thread: one at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/http/transport.h"
#include "cluster/election/election_record.h"
#include "codec/json/value.h"
#include "fake_transport.h"

namespace berth::election {

class LeaseServer {
 public:
  static constexpr const char* kPath = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";

  http::Reply Answer(const http::Request& request) {
    log.push_back(request.method + " " + request.path);
    if (fault) {
      if (const auto reply = fault(request)) return *reply;
    }
    if (request.method == "POST") return Create(*json::Parse(request.body));
    if (request.method == "PUT") return Update(*json::Parse(request.body));
    return lease ? http::ReplyOf(200, json::Dump(*lease)) : Status(404, "NotFound");
  }

  // A change by somebody else.
  void Put(const ElectionRecord& record) {
    json::Value changed = lease ? *lease : Bare();
    SetRecord(changed, record);
    Store(std::move(changed));
  }
  ElectionRecord record() const { return lease ? RecordOf(*lease) : ElectionRecord{}; }

  static http::Reply Status(int code, const std::string& reason) {
    return http::ReplyOf(code, R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"leases: )" + reason +
                                   R"(","reason":")" + reason + R"(","code":)" + std::to_string(code) + "}");
  }

  std::optional<json::Value> lease;
  std::vector<std::string> log;
  std::function<std::optional<http::Reply>(const http::Request&)> fault;  // an answer instead of the server's
  std::function<void()> on_store;

 private:
  static json::Value Bare() {
    return *json::Parse(R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease",)"
                        R"("metadata":{"name":"kube-scheduler","namespace":"kube-system","uid":"u1"}})");
  }
  http::Reply Create(json::Value created) {
    if (lease) return Status(409, "AlreadyExists");
    created["metadata"].Set("uid", "u1");
    Store(std::move(created));
    return http::ReplyOf(201, json::Dump(*lease));
  }
  http::Reply Update(json::Value changed) {
    if (!lease) return Status(404, "NotFound");
    if (json::TextAt(changed, "metadata.resourceVersion") != json::TextAt(*lease, "metadata.resourceVersion")) {
      return Status(409, "Conflict");
    }
    Store(std::move(changed));
    return http::ReplyOf(200, json::Dump(*lease));
  }
  void Store(json::Value stored) {
    stored["metadata"].Set("resourceVersion", std::to_string(++version_));
    lease = std::move(stored);
    if (on_store) on_store();
  }

  int version_ = 100;
};

}  // namespace berth::election
