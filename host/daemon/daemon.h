// One scheduler as long as it lives: reflectors fill the engine's inbox, the caller's thread is the scheduling thread,
// decisions go to the API server. Source: cmd/kube-scheduler/app/server.go; core.md 4.1.
//
// Thread: Run blocks the scheduling thread; RequestEnd, RequestDump and the questions are for any thread. Ownership:
// words and transports are the caller's and outlive it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "bind/executor.h"
#include "bind/growing_executor.h"
#include "daemon/feeds.h"
#include "daemon/step_monitor.h"
#include "dispatch/api_writes.h"
#include "engine/engine.h"
#include "plugin/services.h"
#include "source/reflector.h"

namespace berth::daemon {

struct DaemonOptions {
  engine::EngineOptions engine;
  kube::RequestQueueOptions requests;  // clientConnection's qps and burst
  uint32_t binding_threads = 1;
  std::string hostname;
  int64_t api_patience_ns = 10 * base::kSecond;  // until a kind that the API server does not give counts as empty
  int64_t end_patience_ns = 5 * base::kSecond;   // for bindings under way, and then once more for Events
  // How long one step of the scheduling thread may take until it counts as stuck. More than the longest step that
  // comes to its end: an attempt waits for extenders.
  int64_t step_patience_ns = 60 * base::kSecond;
  // How long the watch of nodes or pods may be broken until decisions rest on too old a cluster. An API server that
  // starts again takes less as a rule.
  int64_t watch_patience_ns = 30 * base::kSecond;
};

class Daemon {
 public:
  // observer may be null. events may be the same transport as api.
  Daemon(api::Vocabulary& words, http::Transport& api, http::Transport& events, engine::AttemptObserver* observer,
         const DaemonOptions& options);
  ~Daemon();

  // What the profiles have to be built with.
  plugin::Services& services() { return services_; }
  // Once, before Run.
  void SetProfiles(std::shared_ptr<const framework::ProfileSet> profiles);

  // Lists and watches, from now on, every kind that somebody has come to need; profiles: whose plugins are named when
  // one cannot be read. Any thread.
  void WatchNeededKinds(const framework::ProfileSet& profiles);

  // Schedules until RequestEnd: then pops no more, lets bindings under way end, unreserves the rest, writes what Events
  // there are.
  void Run();
  void RequestEnd();
  void RequestDump();  // the state goes into the log

  bool handlers_synced() const { return synced_.load(std::memory_order_acquire); }
  bool ending() const { return ending_.load(std::memory_order_acquire); }
  std::string trouble() const;  // what keeps it from being synced; "" when nothing is known
  // What is wrong with the scheduling thread; nullopt: it makes steps, or has nothing to do. Any thread.
  std::optional<std::string> StuckText() const;
  // Why the watch of that kind counts as broken; nullopt: it does not. Any thread.
  std::optional<std::string> BrokenNodeWatchText() const { return BrokenText(nodes_); }
  std::optional<std::string> BrokenPodWatchText() const { return BrokenText(pods_); }
  // Tells the cluster what became of the scheduler itself. Any thread; does not block.
  void RecordEvent(dispatch::EventRecord record) { writes_.Event(std::move(record)); }
  uint64_t dropped_events() const { return writes_.dropped_events(); }
  // Of the threads that bind. Any thread.
  bind::ThreadExecutor::Progress binding_progress() { return executor_.progress(); }
  // Scheduling thread, or not yet running.
  engine::Engine& engine() { return engine_; }
  // Called on the scheduling thread between cycles, at most every 100 ms and at rest; for gauges.
  void set_on_pause(std::function<void()> fn) { on_pause_ = std::move(fn); }

 private:
  static std::string NeedersOf(objects::KindId kind, const framework::ProfileSet& profiles);
  void Reflect(source::Reflector& reflector);  // reflectors_mutex_ is held
  void StopReflecting(bool wait);
  std::optional<std::string> BrokenText(const source::Reflector& reflector) const;
  void LookAtSteps(const std::stop_token& stop);
  void Loop();
  void WaitForWork();
  void Pause();
  void End();
  void CloseExtenders();  // what they have not answered has failed

  api::Vocabulary& words_;
  http::Transport& api_;
  const DaemonOptions options_;
  base::RealClock clock_;
  plugin::Services services_;
  bind::ThreadExecutor executor_;
  bind::GrowingExecutor blocking_;  // without extenders that bind it has no threads
  dispatch::ApiWrites writes_;
  engine::Engine engine_;
  NodeFeed node_feed_;
  PodFeed pod_feed_;
  source::Reflector nodes_, pods_;
  framework::ExtenderList extenders_;
  struct Reflected {
    Reflected(api::Vocabulary& words, engine::Engine& engine, objects::KindId kind,
              const source::ResourceKind& resource, http::Transport& api, uint64_t seed)
        : feed(words, engine, kind), reflector(resource, api, feed, seed) {}
    ObjectsFeed feed;
    source::Reflector reflector;
  };
  mutable std::mutex reflectors_mutex_;              // guards what follows
  std::vector<std::unique_ptr<Reflected>> objects_;  // never fewer
  std::vector<std::jthread> reflecting_;
  bool running_ = false;  // reflectors run as soon as they are made
  std::atomic<bool> synced_{false}, ending_{false};
  StepMonitor steps_;
  std::function<void()> on_pause_;
  int64_t paused_at_ = 0;
};

}  // namespace berth::daemon
