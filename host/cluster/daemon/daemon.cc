#include "cluster/daemon/daemon.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/housekeeper.h"
#include "cluster/daemon/resource_metrics.h"
#include "cluster/daemon/state_dump.h"
#include "codec/text/rfc3339.h"
#include "scheduler/engine/ask.h"
#include "scheduler/framework/manifests_to_keep.h"
#include "telemetry/log/log.h"

namespace berth::daemon {
namespace {

constexpr int64_t kLongestRest = base::kSecond;
constexpr int64_t kPauseEvery = 100 * base::kMillisecond;
constexpr std::chrono::milliseconds kGatherObjects{1};
constexpr uint32_t kMostBindingCalls = 64;  // concurrent calls to extenders

// The interval between two checks of the step monitor.
int64_t LookAtStepsEvery(const DaemonOptions& options) { return std::min(base::kSecond, options.step_timeout_ns / 4); }

// The text may be a page from a proxy.
std::string OneLine(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

std::string WholeSeconds(int64_t ns) { return std::to_string(ns / base::kSecond) + " s"; }

constexpr int64_t kInboxSlice = 2 * base::kMillisecond;

engine::EngineOptions EngineOptionsOf(engine::EngineOptions options, bind::Executor& blocking, plugin::ApiPort& api,
                                      plugin::HttpPort& http) {
  options.blocking = &blocking;
  options.api = &api;
  options.http = &http;
  options.inbox_slice_ns = kInboxSlice;
  return options;
}

}  // namespace

Daemon::Daemon(api::InternTables& intern, http::Transport& api, engine::AttemptObserver* observer,
               const DaemonOptions& options)
    : intern_(intern),
      options_(options),
      executor_(options.binding_threads),
      blocking_(kMostBindingCalls, "extender"),
      writes_(intern, api, clock_, options.requests, options.hostname),
      engine_(intern, clock_, executor_, writes_, observer,
              EngineOptionsOf(options.engine, blocking_, writes_, outbound_)),
      reflectors_(intern, engine_, api, options.engine.seed, options.reading),
      leadership_(engine_, reflectors_, !options.leader_election),
      steps_(2 * LookAtStepsEvery(options)) {}

Daemon::~Daemon() {
  reflectors_.Stop(/*wait=*/true);
  CloseExtenders();
  blocking_.Stop();
  executor_.Stop();
  outbound_.Close();
  writes_.Shutdown(0);
}

std::optional<std::string> Daemon::StuckText() const {
  const int64_t stuck_ns = steps_.stuck_ns();
  if (stuck_ns < options_.step_timeout_ns) return std::nullopt;
  return "the scheduling thread has not ended its step for " + WholeSeconds(stuck_ns);
}

std::optional<std::string> Daemon::BrokenText(const std::optional<reflector::Outage::State>& outage) const {
  if (!outage || outage->lasted_ns < options_.watch_outage_timeout_ns) return std::nullopt;
  return "broken since " + text::TimeText(outage->since_unix_ns) + " (" + WholeSeconds(outage->lasted_ns) +
         "): " + OneLine(outage->why);
}

http::Answer Daemon::ResourceMetrics() {
  const auto pods = engine::Ask(engine_, [this] { return engine_.Pods(); });
  if (!pods) return {.status = 503, .body = "the scheduling thread did not list the pods in time\n"};
  return {200, "text/plain; version=0.0.4; charset=utf-8", ResourceMetricsText(intern_, *pods)};
}

void Daemon::SetProfiles(std::shared_ptr<const framework::ProfileSet> profiles) {
  const framework::ManifestsToKeep keep = framework::ManifestsFor(profiles->extenders);
  reflectors_.KeepManifests(keep.nodes, keep.pods);
  extenders_ = profiles->extenders;
  engine_.SetProfiles(profiles);
  WatchNeededKinds(*profiles);
}

void Daemon::CloseExtenders() {
  for (const auto& extender : extenders_) extender->Close();
}

void Daemon::RequestEnd() {
  ending_.store(true, std::memory_order_release);
  engine_.Wake();
}

void Daemon::RequestDump() {
  engine_.Post(engine::Task([this] { LogState(engine_, intern_); }));
}

void Daemon::Run() {
  if (!options_.leader_election || !options_.delay_cache_until_active) reflectors_.Start();
  const base::PeriodicTask looking(std::chrono::nanoseconds(LookAtStepsEvery(options_)),
                                   [this] { steps_.Look(clock_.MonoNs()); });
  Loop();
  End();
  steps_.Rest();
}

void Daemon::Loop() {
  while (!ending()) {
    steps_.Step();
    const bool worked = engine_.Step();
    if (!synced_ && engine_.synced()) {
      log::V(3, "Handlers synced");
      synced_.store(true, std::memory_order_release);
      leadership_.Synced();
      if (on_synced_) on_synced_();
      continue;
    }
    if (!worked) {
      WaitForWork();
    } else if (UntilPause() <= 0) {
      Pause();
    }
  }
}

void Daemon::Pause() {
  paused_at_ = clock_.MonoNs();
  engine_.open_operations().Report(paused_at_);
  if (on_pause_) on_pause_();
}

int64_t Daemon::UntilPause() const { return paused_at_ + kPauseEvery - clock_.MonoNs(); }

void Daemon::WaitForWork() {
  int64_t rest = UntilPause();
  if (rest <= 0) {
    Pause();
    rest = kLongestRest;
  }
  if (const auto timer = engine_.NextTimer()) rest = std::min(rest, *timer - clock_.MonoNs());
  if (rest <= 0) return;
  steps_.Rest();
  engine_.WaitFor(rest);
  // No pod is scheduled before the lists are complete. Each object would wake this thread. Other messages wait, too.
  if (!synced_) std::this_thread::sleep_for(kGatherObjects);
}

void Daemon::End() {
  log::Info("Shutting down: no more attempts", {{"bindingsUnderWay", engine_.attempts_in_flight()}});
  engine_.BeginShutdown();
  const int64_t deadline = clock_.MonoNs() + options_.shutdown_timeout_ns;
  while (engine_.attempts_in_flight() > 0 && clock_.MonoNs() < deadline) {
    if (!engine_.Step()) engine_.WaitFor(std::min(deadline - clock_.MonoNs(), kPauseEvery));
  }
  // A request that is not sent yet must not be sent after its Unreserve.
  writes_.CloseRequests();
  CloseExtenders();
  for (const int64_t last = clock_.MonoNs() + kPauseEvery;
       engine_.attempts_in_flight() > 0 && clock_.MonoNs() < last;) {
    if (!engine_.Step()) engine_.WaitFor(kPauseEvery / 10);
  }
  blocking_.Stop();
  executor_.Stop();
  engine_.AbandonAttempts();
  if (on_last_write_) on_last_write_();
  reflectors_.Stop(/*wait=*/false);
  writes_.Shutdown(options_.shutdown_timeout_ns);
  reflectors_.Stop(/*wait=*/true);
  if (const uint64_t dropped = writes_.dropped_events(); dropped > 0) {
    log::Warning("Events were dropped because the API server was too slow", {{"dropped", dropped}});
  }
}

}  // namespace berth::daemon
