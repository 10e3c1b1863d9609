// Whether a user may do what a request asks for: members of system:masters always, everyone on paths that are always
// allowed, others as the API server decides. Sources: k8s.io/apiserver pkg/server/options/authorization.go
// (toAuthorizer), pkg/authorization/union/union.go, pkg/authorization/authorizerfactory/builtin.go
// (privilegedGroupAuthorizer). Thread: any, concurrently. Ownership: the reviewer outlives it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "cluster/access/access_review.h"
#include "cluster/access/allowed_paths.h"
#include "cluster/access/ruling.h"

namespace berth::access {

class Authorization {
 public:
  // reviewer null: all other requests are forbidden.
  Authorization(AllowedPaths paths, AccessReviewer* reviewer) : paths_(std::move(paths)), reviewer_(reviewer) {}

  // May wait for the API server.
  Ruling Authorize(const Attributes& attributes) const;
  // The same without a request to the API server; nullopt: it needs one, or an answer that is kept for less than
  // good_for_ns.
  std::optional<Ruling> AuthorizeNow(const Attributes& attributes, int64_t good_for_ns) const;

 private:
  std::optional<Ruling> WithoutReview(const Attributes& attributes) const;

  const AllowedPaths paths_;
  AccessReviewer* const reviewer_;
};

}  // namespace berth::access
