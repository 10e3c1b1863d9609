// The work of plugins outside of a call: tasks that run between two cycles, and pods that plugins activate.
// Source: PriorityQueue.Activate of pkg/scheduler/backend/queue/scheduling_queue.go, for the pods.
// Thread: Post and WallUnixNs from any thread, everything else from the scheduling thread.
// Ownership: owns the tasks; the collaborators outlive it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "api/pod.h"
#include "base/clock.h"
#include "plugin/instance/ports.h"
#include "scheduler/engine/message_inbox.h"
#include "scheduler/engine/pod_lister.h"
#include "scheduler/engine/timed_tasks.h"
#include "scheduler/queue/scheduling_queue.h"

namespace berth::engine {

class PluginTasks final : public plugin::TaskPort {
 public:
  PluginTasks(const base::Clock& clock, MessageInbox& inbox, queue::SchedulingQueue& queue, PodLister& pods)
      : clock_(clock), inbox_(inbox), queue_(queue), pods_(pods) {}
  PluginTasks(const PluginTasks&) = delete;

  // plugin::TaskPort
  void Post(int64_t delay_ns, std::function<void()> fn) override;
  bool Activate(std::string_view uid) override;  // takes effect in ActivatePods
  int64_t WallUnixNs() const override { return clock_.WallUnixNs(); }

  void On(TimedTask& message) { tasks_.Add(message.due_mono_ns, std::move(message.fn)); }
  bool RunDue();  // false: no task was due
  // Moves the pods that plugins have activated since the last call. No call into a plugin is running: the queue calls
  // their PreEnqueue.
  void ActivatePods();

  std::optional<int64_t> Next() const { return tasks_.Next(); }  // mono ns
  uint64_t posted_without_delay() const { return posted_without_delay_.load(std::memory_order_relaxed); }
  uint64_t run() const { return run_; }

 private:
  const base::Clock& clock_;
  MessageInbox& inbox_;
  queue::SchedulingQueue& queue_;
  PodLister& pods_;

  std::atomic<uint64_t> posted_without_delay_{0};
  TimedTasks tasks_;
  uint64_t run_ = 0;
  std::vector<api::PodRef> to_activate_;
};

}  // namespace berth::engine
