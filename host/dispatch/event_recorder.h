// Events about pods (events.k8s.io/v1), as kube-scheduler writes them. What happens again to the same version of the
// same pod within six minutes becomes a series of one Event; that a pod is bound happens once and is not remembered.
// Nobody waits for Events: when the server is slower than they come, they are dropped and counted.
// Source: client-go/tools/events/event_broadcaster.go; core.md 7.1.
//
// Thread: Record from any thread; the rest happens on the recorder's own and on threads of the transport. Ownership:
// queue and clock outlive the recorder; Stop comes before the queue's.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/inbox.h"
#include "dispatch/event_body.h"
#include "kube/request_queue.h"

namespace berth::dispatch {

class EventRecorder {
 public:
  static constexpr size_t kCapacity = 1000;  // Events that have not reached the server yet
  // That may go on, some 800 bytes each. What happens beyond them is an Event of its own each time.
  static constexpr size_t kMostSeries = 16'384;

  EventRecorder(kube::RequestQueue& queue, const base::Clock& clock, std::string hostname);
  ~EventRecorder() { Stop(); }

  void Record(EventRecord record);
  // Hands everything that was recorded to the queue and ends the thread.
  void Stop();

  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  struct Series {
    std::string ns, name;  // of the Event
    int count = 1;
    int64_t last_seen = 0, last_written = 0;  // unix ns
  };
  void Loop(const std::stop_token& stop);
  void Handle(const EventRecord& record);
  // anew: what to send when the Event to be patched is gone; may be empty.
  void Post(http::Request request, std::optional<http::Request> anew, int tries_left, int64_t delay_ns = 0);
  void Forget(int64_t now);

  kube::RequestQueue& queue_;
  const base::Clock& clock_;
  const std::string hostname_;
  base::Inbox<EventRecord> inbox_;
  std::atomic<size_t> pending_{0};
  std::atomic<uint64_t> dropped_{0};
  std::atomic<bool> stopping_{false};
  std::unordered_map<std::string, Series> series_;  // by EventKey; the recorder's thread only
  int64_t forgotten_at_ = 0;
  std::jthread thread_;
};

}  // namespace berth::dispatch
