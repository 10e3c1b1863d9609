// The plugins that the scheduling queue calls: QueueSort, PreEnqueue, event registrations, and event hints.
// If QueueSort fails or is quarantined, the pods are in the order of PrioritySort: higher priority first, then the pod
// that has waited longer. All profiles share the queue, so a failing plugin must not stop it.
// Thread: scheduling thread. Ownership: shares the published profile set, which SetProfiles replaces.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/random.h"
#include "scheduler/framework/profile.h"
#include "scheduler/queue/queue_policy.h"

namespace berth::framework {

class ProfileQueuePolicy final : public queue::QueuePolicy {
 public:
  ProfileQueuePolicy() = default;  // without profiles: no registrations, and no pod may be queued
  explicit ProfileQueuePolicy(std::shared_ptr<const ProfileSet> profiles) { SetProfiles(std::move(profiles)); }
  void SetProfiles(std::shared_ptr<const ProfileSet> profiles);

  bool Less(const queue::QueuedPod& a, const queue::QueuedPod& b) override;
  queue::PreEnqueueVerdict PreEnqueue(const api::Pod& pod, base::Id first) override;
  std::vector<queue::ProfileRegistrations> Registrations() const override;
  // Returns true once after QueueSort was quarantined: the order of the pods has changed.
  bool TakeOrderChanged() { return std::exchange(order_changed_, false); }
  int32_t Hints(const queue::HintRequest& request, std::span<uint8_t> queue) override;

 private:
  queue::PreEnqueueVerdict AskPreEnqueue(const Profile& profile, const api::Pod& pod, base::Id first);
  void StopAsking();
  berth_cycle& CycleOutside();

  std::shared_ptr<const ProfileSet> profiles_;
  plugin::Instance* queue_sort_ = nullptr;  // of the first profile; all profiles have the same plugin
  bool order_changed_ = false;
  berth_cycle cycle_;        // without a snapshot
  base::Random samples_{1};  // which calls of PreEnqueue are timed
};

}  // namespace berth::framework
