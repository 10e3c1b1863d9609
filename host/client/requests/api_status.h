// The error of the API server: a v1.Status, or another text. Thread: any; a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "client/http/transport.h"
#include "client/requests/encoding.h"

namespace berth::requests {

struct ApiStatus {
  int code = 0;         // HTTP status; 0 = no reply came
  std::string reason;   // "Conflict", "NotFound", "Expired", ...; "" when unknown
  std::string message;  // as client-go prints it
  // The retry delay that the server requests: from the header Retry-After of a 429 or 5xx, or from the status itself.
  std::optional<int64_t> retry_after_seconds = {};

  bool NotFound() const { return code == 404; }
  bool Conflict() const { return code == 409; }
  bool Forbidden() const { return code == 403; }
  bool Expired() const { return code == 410 || reason == "Expired" || reason == "Gone"; }
};

// Whether a request that changes objects may still take effect after this reply: the reply was lost, or the API server
// or a proxy stopped waiting for the change. The API server answers 500 for "etcdserver: request timed out".
bool OutcomeUnknown(const http::Reply& reply);

// The status of a reply that is not ok(), in JSON or protobuf. what names the request in messages that do not come from
// the server: "list pods".
ApiStatus StatusOf(const http::Reply& reply, const std::string& what);
// The status in an ERROR event of a watch.
ApiStatus StatusOf(std::string_view status_json);
ApiStatus StatusOf(Encoded status);

}  // namespace berth::requests
