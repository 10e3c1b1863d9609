#include "scheduler/engine/published_policy.h"

#include <algorithm>

namespace berth::engine {

bool PublishedPolicy::Has(const plugin::Instance* instance) const {
  return profiles_ != nullptr && std::any_of(profiles_->profiles.begin(), profiles_->profiles.end(),
                                             [&](const auto& profile) { return profile->Has(instance); });
}

std::shared_ptr<const framework::ProfileSet> PublishedPolicy::Replace(
    std::shared_ptr<const framework::ProfileSet> profiles) {
  std::shared_ptr<const framework::ProfileSet> before = std::exchange(profiles_, std::move(profiles));
  if (before == nullptr) return before;
  for (const auto& profile : before->profiles) {
    for (const auto& instance : profile->instances()) {
      if (!Has(instance.get())) draining_.push_back(instance);
    }
  }
  return before;
}

}  // namespace berth::engine
