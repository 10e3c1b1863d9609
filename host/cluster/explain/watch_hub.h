// The clients that watch the decisions. One thread reads the ring of the scheduling thread several times a second, only
// while there are clients, and for all of them that are at the same decision with one question. A client has a buffer
// of bounded size, which is filled when it is empty: a slow client reads on in the ring, and when the ring has lost
// what comes next, it is told how many decisions it missed. Thread: any but the scheduling thread. Ownership: the
// sources keep the hub; the engine outlives both.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/thread_annotations.h"
#include "client/http/incoming.h"
#include "cluster/explain/new_decisions.h"
#include "scheduler/engine/engine.h"

namespace berth::explain {

struct WatchLimits {
  size_t watchers = 16;
  size_t buffer = size_t{64} * 1024;  // bytes, which one event may exceed
  std::chrono::milliseconds pause{200}, heartbeat{15'000};
  // After that time a stream ends. A client that connects again must still be allowed to.
  std::chrono::milliseconds longest = std::chrono::minutes(30);
};

class WatchHub : public std::enable_shared_from_this<WatchHub> {
 public:
  static constexpr uint64_t kNow = UINT64_MAX, kGreatestId = kNow - 1;
  struct Wish {
    decisions::Filter filter;
    uint64_t after = kNow;  // the ID after which the client begins; kNow: that of the newest decision
  };

  explicit WatchHub(engine::Engine& engine, const WatchLimits& limits = {});
  ~WatchHub();
  WatchHub(const WatchHub&) = delete;

  // The stream of one client until the source is destroyed. null: there are too many, or the hub has ended.
  std::shared_ptr<http::BodySource> Watch(Wish wish);
  // Completes all streams, without the decisions that were not read yet.
  void End();
  bool ended();
  size_t most() const { return limits_.watchers; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Watcher {
    decisions::Filter filter;
    uint64_t position;  // the ID of the last decision that `out` or the client has, or kNow
    Clock::time_point last_output, ends;
    std::string out = {};
    bool greeted = false, behind = true, complete = false;
    std::function<void()> wake = {};
  };
  using Place = std::list<Watcher>::iterator;
  class Source;

  std::optional<std::string> Take(Place place);
  void SetWake(Place place, std::function<void()> wake);
  void Leave(Place place);

  void Loop(const std::stop_token& stop);
  void Rest(const std::stop_token& stop);
  std::set<uint64_t> Positions();  // of those that can be filled
  void Deliver(uint64_t position, const NewDecisions& found);
  void Fill(Watcher& watcher, const NewDecisions& found, const std::vector<std::string>& events) REQUIRES(mutex_);
  void LookAtTime();
  static void Wake(const Watcher& watcher);

  engine::Engine& engine_;
  const WatchLimits limits_;
  base::Mutex mutex_;
  std::condition_variable_any changed_;
  std::list<Watcher> watchers_ GUARDED_BY(mutex_);
  bool hungry_ GUARDED_BY(mutex_) = false;  // a watcher that is behind can be filled
  bool ended_ GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace berth::explain
