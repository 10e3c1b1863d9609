// What the API server says when it refuses: a v1.Status, or a text that is none. Thread: any; a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "http/transport.h"

namespace berth::kube {

struct ApiStatus {
  int code = 0;         // HTTP status; 0 = no reply came
  std::string reason;   // "Conflict", "NotFound", "Expired", ...; "" when unknown
  std::string message;  // for people, as client-go words it
  // How long the server wants to be left alone: of the header Retry-After of a 429 or 5xx, or of the status itself.
  std::optional<int64_t> retry_after_seconds = {};

  bool NotFound() const { return code == 404; }
  bool Conflict() const { return code == 409; }
  bool Forbidden() const { return code == 403; }
  bool Expired() const { return code == 410 || reason == "Expired" || reason == "Gone"; }
};

// Of a reply that is not ok(). what names the request for texts that the server does not word itself: "list pods".
ApiStatus StatusOf(const http::Reply& reply, const std::string& what);
// Of a v1.Status as a watch carries it in an ERROR event.
ApiStatus StatusOf(std::string_view status_json);

}  // namespace berth::kube
