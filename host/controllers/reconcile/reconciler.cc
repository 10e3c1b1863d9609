#include "controllers/reconcile/reconciler.h"

#include <utility>

namespace berth::reconcile {

http::Request StatusPatchRequest(const std::string& path, std::string body) {
  http::Request request;
  request.method = "PATCH";
  request.path = path + "/status";
  request.content_type = "application/merge-patch+json";
  request.body = std::move(body);
  return request;
}

}  // namespace berth::reconcile
