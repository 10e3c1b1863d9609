// The scheduler of a cluster: reflectors fill the engine's inbox, the thread that calls Run is the scheduling thread,
// and the decisions go to the API server. Source: cmd/kube-scheduler/app/server.go.
//
// Thread: Run blocks the scheduling thread. RequestEnd, RequestDump, and the const functions: any thread. Ownership:
// the caller owns intern and the transport, which must outlive the daemon.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/thread_annotations.h"
#include "client/http/incoming.h"
#include "cluster/daemon/leadership.h"
#include "cluster/daemon/reflectors.h"
#include "cluster/daemon/step_monitor.h"
#include "cluster/outbound/outbound_requests.h"
#include "cluster/writer/api_writes.h"
#include "plugin/instance/services.h"
#include "scheduler/bind/executor.h"
#include "scheduler/engine/engine.h"

namespace berth::daemon {

struct DaemonOptions {
  engine::EngineOptions engine;
  requests::RequestQueueOptions requests;  // clientConnection.qps and burst
  uint32_t binding_threads = 1;
  std::string hostname;
  // true: this process schedules only between Leadership::Acquired and Lost.
  bool leader_election = false;
  bool delay_cache_until_active = false;  // with leader_election: nothing is listed before this process leads
  ReadingOptions reading;
  int64_t shutdown_timeout_ns = 5 * base::kSecond;  // for open bindings, and then again for Events
  // How long a step of the scheduling thread may take before the thread counts as stuck. It must be longer than the
  // longest legitimate step: an attempt waits for extenders.
  int64_t step_timeout_ns = 60 * base::kSecond;
  // How long the watch of nodes or pods may be broken before the scheduler is not ready, because its view of the
  // cluster is too old. An API server usually restarts in less time.
  int64_t watch_outage_timeout_ns = 30 * base::kSecond;
};

class Daemon {
 public:
  // observer may be null.
  Daemon(api::InternTables& intern, http::Transport& api, engine::AttemptObserver* observer,
         const DaemonOptions& options);
  ~Daemon();

  // The services for building the profiles.
  plugin::Services& services() { return engine_.services(); }
  // Call it once, before Run.
  void SetProfiles(std::shared_ptr<const framework::ProfileSet> profiles);

  // Lists and watches every kind that a plugin needs and that is not watched yet. The log names the plugins in
  // `profiles` that need a kind that cannot be read. Thread: any.
  void WatchNeededKinds(const framework::ProfileSet& profiles) { reflectors_.WatchNeededKinds(profiles); }

  // Schedules pods until RequestEnd. Then it pops no more pods, waits for open bindings, unreserves the other pods, and
  // writes the pending Events.
  void Run();
  void RequestEnd();
  void RequestDump();  // logs the state

  // Whether this process schedules; see DaemonOptions::leader_election.
  Leadership& leadership() { return leadership_; }

  bool handlers_synced() const { return synced_.load(std::memory_order_acquire); }
  bool ending() const { return ending_.load(std::memory_order_acquire); }
  std::string trouble() const { return reflectors_.trouble(); }  // why it is not synced; "": no known reason
  // Why the scheduling thread counts as stuck; nullopt: it makes progress, or has nothing to do. Thread: any.
  std::optional<std::string> StuckText() const;
  // Why the watch of the kind counts as broken; nullopt: it is not broken. Thread: any.
  std::optional<std::string> BrokenNodeWatchText() const { return BrokenText(reflectors_.NodeOutage()); }
  std::optional<std::string> BrokenPodWatchText() const { return BrokenText(reflectors_.PodOutage()); }
  // Sends an Event about the scheduler itself. Does not block. Thread: any.
  void RecordEvent(events::EventRecord record) { writes_.Event(std::move(record)); }
  // Waits until every request but those with Events has its answer, at most ns. True: all have. Thread: any.
  bool AwaitAnswers(int64_t ns) { return writes_.AwaitAnswers(ns); }
  uint64_t dropped_events() const { return writes_.dropped_events(); }
  const writer::ApiWrites& writes() const { return writes_; }
  // For how long the watch of each kind has been broken. Any thread.
  std::vector<Reflectors::WatchState> Watches() const { return reflectors_.Watches(); }
  // The answer of /metrics/resources. The scheduling thread lists the pods between two cycles; the caller makes the
  // text of them, so it must be another thread. 503 if the scheduling thread does not start this within five seconds.
  http::Answer ResourceMetrics();
  // The progress of the binding threads. Thread: any.
  bind::ThreadExecutor::Progress binding_progress() { return executor_.progress(); }
  // Thread: the scheduling thread, or any before Run.
  engine::Engine& engine() { return engine_; }
  // Sets a function that updates gauges. It runs on the scheduling thread between cycles, at most every 100 ms, and
  // when there is no work.
  void set_on_pause(std::function<void()> fn) { on_pause_ = std::move(fn); }
  // Sets a function that runs once on the scheduling thread, when the first lists are complete. Before Run.
  void set_on_synced(std::function<void()> fn) { on_synced_ = std::move(fn); }
  // Sets a function that runs once on the scheduling thread at the end, when this process sends no more changes; it
  // still sends Events. Before Run.
  void set_on_last_write(std::function<void()> fn) { on_last_write_ = std::move(fn); }

 private:
  std::optional<std::string> BrokenText(const std::optional<reflector::Outage::State>& outage) const;
  void Loop();
  void WaitForWork();
  void Pause();
  int64_t UntilPause() const;  // ns until the next pause is due; not above 0: now
  void End();
  void CloseExtenders();  // requests without an answer fail

  api::InternTables& intern_;
  const DaemonOptions options_;
  base::RealClock clock_;
  bind::ThreadExecutor executor_;
  bind::ThreadExecutor blocking_;  // for extenders that bind
  writer::ApiWrites writes_;
  outbound::OutboundRequests outbound_;  // creates threads only if a plugin sends a request
  engine::Engine engine_;
  Reflectors reflectors_;
  Leadership leadership_;
  framework::ExtenderList extenders_;
  std::atomic<bool> synced_{false}, ending_{false};
  StepMonitor steps_;
  std::function<void()> on_pause_, on_synced_, on_last_write_;
  int64_t paused_at_ = 0;
};

}  // namespace berth::daemon
