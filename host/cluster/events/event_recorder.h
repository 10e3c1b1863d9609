// Writes Events about pods (events.k8s.io/v1), like kube-scheduler. If the same Event for the same version of a pod
// occurs again within six minutes, it becomes a series. Events about bound pods are not stored, because they occur
// once. Nothing waits for Events: if the server is too slow, they are dropped and counted. While many bindings wait,
// Events wait too: for bindings ten seconds at most since Record, and then for their turn in the queue, which a slow
// server may delay further. Source: k8s.io/client-go/tools/events/event_broadcaster.go.
//
// Thread: Record from any thread; everything else runs on the recorder's thread, which exists while there are Events to
// write, and on threads of the transport.
// Ownership: queue and clock must outlive the recorder. Call Stop before the queue's Stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/housekeeper.h"
#include "base/inbox.h"
#include "base/task_threads.h"
#include "base/text_hash.h"
#include "client/requests/request_queue.h"
#include "cluster/events/event_body.h"

namespace berth::events {

class EventRecorder {
 public:
  static constexpr size_t kCapacity = 16'384;             // Events that the server has not received yet, 600 bytes each
  static constexpr size_t kMostHeld = kCapacity / 4 * 3;  // Events beyond these do not wait for bindings
  // The largest number of open series, about 800 bytes each. Beyond it, each occurrence is a separate Event.
  static constexpr size_t kMostSeries = 16'384;

  // Whether Events should wait because the server has more important work. Must not block.
  using Busy = std::function<bool()>;

  EventRecorder(requests::RequestQueue& queue, const base::Clock& clock, std::string hostname, Busy busy = {});
  ~EventRecorder() { Stop(); }

  void Record(EventRecord record);
  // Passes all recorded Events to the queue and ends the thread. Record does nothing useful afterwards.
  void Stop();

  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  struct Series {
    std::string ns, name;  // of the Event
    int count = 1, written_count = 1;
    int64_t seen_unix_ns = 0;  // last, for the Event
    int64_t seen_mono_ns = 0, written_mono_ns = 0;
  };
  struct Arrived {
    EventRecord record;
    int64_t at_mono_ns = 0;
  };
  void Ask();  // has the thread handle what is in the inbox
  void HandleReady();
  bool MayGo(const Arrived& oldest) const;
  void HandleAll();
  void TakeInbox();
  void Handle(const Arrived& arrived);
  http::Request Creation(const EventRecord& record, const std::string& instance, const std::string& name,
                         int count) const;
  http::Request Patch(const Series& series) const;
  // recreate: the request to send if the Event to patch no longer exists; may be empty.
  void Post(http::Request request, std::optional<http::Request> recreate, int tries_left, int64_t delay_ns = 0);
  void GiveUp(const http::Reply& reply);  // an Event that has not been written
  void Forget(int64_t mono_ns);

  requests::RequestQueue& queue_;
  const base::Clock& clock_;
  const std::string hostname_;
  const Busy busy_;  // may be empty
  base::Inbox<Arrived> inbox_;
  std::atomic<size_t> pending_{0};
  std::atomic<uint64_t> dropped_{0};
  std::atomic<bool> stopping_{false};
  // For the recorder's thread only.
  std::deque<Arrived> waiting_;
  base::TextMap<Series> series_;  // by EventKey
  std::atomic<bool> has_series_{false};
  int64_t forgotten_mono_ns_ = 0;
  std::vector<Arrived> arrived_;  // of the recorder's thread, which reuses the memory
  std::atomic<bool> asked_{false};
  base::TaskThreads thread_{{.name = "events", .most = 1}};
  std::optional<base::PeriodicTask> forgets_;  // destroyed first
};

}  // namespace berth::events
