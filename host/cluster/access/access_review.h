// Asks the API server whether a user may do something, and keeps the answers for a while. Source: k8s.io/apiserver
// plugin/pkg/authorizer/webhook/webhook.go (WebhookAuthorizer.Authorize, shouldCache). Thread: any, concurrently;
// Authorize blocks. Ownership: call and clock outlive it.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "cluster/access/expiring_cache.h"
#include "cluster/access/review_call.h"
#include "cluster/access/ruling.h"
#include "codec/json/value.h"

namespace berth::access {

class AccessReviewer {
 public:
  struct Ttl {
    std::chrono::nanoseconds allowed, denied;
  };
  static constexpr size_t kLimit = 8192;  // answers, as upstream

  AccessReviewer(ReviewCall& call, Ttl ttl, const base::Clock& clock, size_t limit = kLimit);

  // A failed call has no opinion, and an error.
  Ruling Authorize(const Attributes& attributes);
  // nullopt: no answer that is kept for another good_for_ns.
  std::optional<Ruling> Cached(const Attributes& attributes, int64_t good_for_ns);
  size_t size() const { return cache_.size(); }

 private:
  struct Status {
    bool allowed = false, denied = false;
    std::string reason;
  };
  static Ruling RulingOf(const Status& status);

  ReviewCall& call_;
  const Ttl ttl_;
  ExpiringCache<Status> cache_;
};

}  // namespace berth::access
