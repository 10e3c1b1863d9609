// The policy that new attempts use, and the instances of drained generations that open attempts still hold.
// Thread: scheduling thread. Ownership: shares the profiles; holds earlier instances weakly.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "scheduler/framework/profile.h"

namespace berth::engine {

class PublishedPolicy {
 public:
  // Before the first Replace only Has and ForEachInstance may be called.
  const framework::ProfileSet& profiles() const { return *profiles_; }
  const std::shared_ptr<const framework::ProfileSet>& shared() const { return profiles_; }
  framework::Profile* Find(base::Id scheduler_name) const { return profiles_->Find(scheduler_name); }
  // responsibleForPod of pkg/scheduler/eventhandlers.go
  bool Responsible(const api::Pod& pod) const { return Find(pod.abi.scheduler_name) != nullptr; }
  bool Has(const plugin::Instance* instance) const;

  // Returns the previous policy, null the first time. Keeps its instances among those of ForEachInstance until the
  // attempts that use them end.
  std::shared_ptr<const framework::ProfileSet> Replace(std::shared_ptr<const framework::ProfileSet> profiles);

  // fn(Instance&) for each instance that the host may still call: of the published policy, and of earlier generations
  // that open attempts hold.
  template <class Fn>
  void ForEachInstance(Fn&& fn) {
    if (profiles_ == nullptr) return;
    for (const auto& profile : profiles_->profiles) {
      for (const auto& instance : profile->instances()) fn(*instance);
    }
    std::erase_if(draining_, [&](const std::weak_ptr<plugin::Instance>& one) {
      const std::shared_ptr<plugin::Instance> instance = one.lock();
      if (instance != nullptr) fn(*instance);
      return instance == nullptr;
    });
  }

 private:
  std::shared_ptr<const framework::ProfileSet> profiles_;
  std::vector<std::weak_ptr<plugin::Instance>> draining_;  // of earlier generations
};

}  // namespace berth::engine
