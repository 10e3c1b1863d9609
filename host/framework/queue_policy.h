// The queue's questions, answered by the profiles' plugins: order, gates, registrations and hints.
// Of two pods of which QueueSort says nothing (its call failed, or it is in quarantine) the one of higher priority goes
// first, or else the one that has waited longer, as with PrioritySort: all profiles share the queue, and a plugin that
// cannot tell the order must not stop any.
// Thread: scheduling thread. Ownership: refers to the profile set in force, which SetProfiles replaces.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "framework/profile.h"
#include "queue/policy.h"

namespace berth::framework {

class ProfileQueuePolicy final : public queue::QueuePolicy {
 public:
  explicit ProfileQueuePolicy(std::shared_ptr<const ProfileSet> profiles) { SetProfiles(std::move(profiles)); }
  void SetProfiles(std::shared_ptr<const ProfileSet> profiles);

  bool Less(const queue::QueuedPod& a, const queue::QueuedPod& b) override;
  queue::PreEnqueueVerdict PreEnqueue(const api::Pod& pod, base::Id first) override;
  std::vector<queue::ProfileRegistrations> Registrations() const override;
  // true, once: QueueSort is not asked any more, so the order of pods is another one now.
  bool TakeOrderChanged() { return std::exchange(order_changed_, false); }
  int32_t Hints(const queue::HintRequest& request, std::span<uint8_t> queue) override;

 private:
  void StopAsking();
  berth_cycle& CycleOutside();

  std::shared_ptr<const ProfileSet> profiles_;
  plugin::Instance* queue_sort_ = nullptr;  // of the first profile: all have the same one
  bool order_changed_ = false;
  berth_cycle cycle_;  // without a snapshot
};

}  // namespace berth::framework
