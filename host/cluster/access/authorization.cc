#include "cluster/access/authorization.h"

#include <algorithm>

namespace berth::access {

std::optional<Ruling> Authorization::WithoutReview(const Attributes& attributes) const {
  const auto& groups = attributes.user.groups;
  const bool master = std::find(groups.begin(), groups.end(), kSystemPrivilegedGroup) != groups.end();
  if (master || paths_.Allow(attributes.path)) return Ruling{.decision = Decision::kAllow};
  if (reviewer_ == nullptr) return Ruling{};
  return std::nullopt;
}

Ruling Authorization::Authorize(const Attributes& attributes) const {
  if (auto ruling = WithoutReview(attributes)) return *std::move(ruling);
  return reviewer_->Authorize(attributes);
}

std::optional<Ruling> Authorization::AuthorizeNow(const Attributes& attributes, int64_t good_for_ns) const {
  if (auto ruling = WithoutReview(attributes)) return ruling;
  return reviewer_->Cached(attributes, good_for_ns);
}

}  // namespace berth::access
