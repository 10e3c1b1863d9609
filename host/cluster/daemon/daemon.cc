#include "cluster/daemon/daemon.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "base/pause.h"
#include "base/random.h"
#include "cluster/daemon/state_dump.h"
#include "codec/text/rfc3339.h"
#include "scheduler/framework/manifests_to_keep.h"
#include "telemetry/log/log.h"

namespace berth::daemon {
namespace {

constexpr int64_t kLongestRest = base::kSecond;
constexpr int64_t kPauseEvery = 100 * base::kMillisecond;
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

engine::EngineOptions EngineOptionsOf(engine::EngineOptions options, bind::Executor& blocking, plugin::ApiPort& api) {
  options.blocking = &blocking;
  options.api = &api;
  options.inbox_slice_ns = kInboxSlice;
  return options;
}

}  // namespace

Daemon::Daemon(api::InternTables& intern, http::Transport& api, http::Transport& events,
               engine::AttemptObserver* observer, const DaemonOptions& options)
    : intern_(intern),
      api_(api),
      options_(options),
      executor_(options.binding_threads),
      blocking_(kMostBindingCalls),
      writes_(intern, api, events, clock_, options.requests, options.hostname),
      engine_(intern, clock_, executor_, writes_, observer, EngineOptionsOf(options.engine, blocking_, writes_)),
      node_feed_(intern, engine_),
      pod_feed_(intern, engine_),
      nodes_(reflector::kNodes, api, node_feed_, base::Mix(options.engine.seed)),
      pods_(reflector::kUnfinishedPods, api, pod_feed_, base::Mix(options.engine.seed + 1)),
      steps_(2 * LookAtStepsEvery(options)) {
  engine_.set_popping(false);
}

Daemon::~Daemon() {
  StopReflecting(/*wait=*/true);
  CloseExtenders();
  blocking_.Stop();
  executor_.Stop();
  writes_.Shutdown(0);
}

std::string Daemon::trouble() const {
  std::string trouble = nodes_.trouble();
  if (trouble.empty()) trouble = pods_.trouble();
  base::MutexLock lock(reflectors_mutex_);
  for (const auto& one : objects_) {
    if (trouble.empty()) trouble = one->reflector.trouble();
  }
  return trouble;
}

std::optional<std::string> Daemon::StuckText() const {
  const int64_t stuck_ns = steps_.stuck_ns();
  if (stuck_ns < options_.step_timeout_ns) return std::nullopt;
  return "the scheduling thread has not ended its step for " + WholeSeconds(stuck_ns);
}

std::optional<std::string> Daemon::BrokenText(const reflector::Reflector& reflector) const {
  const auto outage = reflector.outage();
  if (!outage || outage->lasted_ns < options_.watch_outage_timeout_ns) return std::nullopt;
  return "broken since " + text::TimeText(outage->since_unix_ns) + " (" + WholeSeconds(outage->lasted_ns) +
         "): " + OneLine(outage->why);
}

void Daemon::LookAtSteps(const std::stop_token& stop) {
  const std::chrono::nanoseconds every(LookAtStepsEvery(options_));
  while (base::PauseFor(every, stop)) steps_.Look(clock_.MonoNs());
}

void Daemon::SetProfiles(std::shared_ptr<const framework::ProfileSet> profiles) {
  const framework::ManifestsToKeep keep = framework::ManifestsFor(profiles->extenders);
  node_feed_.set_keep(keep.nodes);
  pod_feed_.set_keep(keep.pods);
  extenders_ = profiles->extenders;
  engine_.SetProfiles(profiles);
  WatchNeededKinds(*profiles);
}

void Daemon::WatchNeededKinds(const framework::ProfileSet& profiles) {
  base::MutexLock lock(reflectors_mutex_);
  for (const objects::KindId id : engine_.objects().NeededKinds()) {
    const bool there =
        std::any_of(objects_.begin(), objects_.end(), [&](const auto& one) { return one->feed.kind() == id; });
    if (there) continue;
    const objects::Kind& kind = engine_.objects().KindOf(id);
    const reflector::ResourceKind resource{kind.path(), kind.group, kind.resource, "", true, NeedersOf(id, profiles)};
    const uint64_t seed = base::Mix(options_.engine.seed + 1 + id);
    objects_.push_back(std::make_unique<Reflected>(intern_, engine_, id, resource, api_, seed));
    objects_.back()->reflector.set_unreadable_timeout_ns(options_.unreadable_kind_timeout_ns);
    if (running_) Reflect(objects_.back()->reflector);
  }
}

// The plugins that cannot work if the kind cannot be read, such as "VolumeBinding, VolumeZone".
std::string Daemon::NeedersOf(objects::KindId kind, const framework::ProfileSet& profiles) {
  std::set<std::string> names;
  for (const auto& profile : profiles.profiles) {
    for (const auto& instance : profile->instances()) {
      if (instance->NeedsKind(kind)) names.insert(instance->name());
    }
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void Daemon::CloseExtenders() {
  for (const auto& extender : extenders_) extender->Close();
}

void Daemon::Reflect(reflector::Reflector& reflector) {
  reflecting_.emplace_back([&reflector](std::stop_token stop) { reflector.Run(std::move(stop)); });
}

// No reflector starts after this.
void Daemon::StopReflecting(bool wait) {
  std::vector<std::jthread> ended;
  {
    base::MutexLock lock(reflectors_mutex_);
    running_ = false;
    for (std::jthread& reflecting : reflecting_) reflecting.request_stop();
    if (wait) ended.swap(reflecting_);
  }
  ended.clear();  // joins
}

void Daemon::RequestEnd() {
  ending_.store(true, std::memory_order_release);
  engine_.Wake();
}

void Daemon::RequestDump() {
  engine_.Post(engine::Task([this] { LogState(engine_, intern_); }));
}

void Daemon::Run() {
  {
    base::MutexLock lock(reflectors_mutex_);
    running_ = true;
    Reflect(nodes_);
    Reflect(pods_);
    for (const auto& one : objects_) Reflect(one->reflector);
  }
  const std::jthread looking([this](const std::stop_token& stop) { LookAtSteps(stop); });
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
      engine_.set_popping(true);  // not before: with an incomplete list, the known nodes would fill up too soon
      continue;
    }
    if (!worked) {
      WaitForWork();
    } else if (clock_.MonoNs() - paused_at_ > kPauseEvery) {
      Pause();
    }
  }
}

void Daemon::Pause() {
  paused_at_ = clock_.MonoNs();
  engine_.open_operations().Report(paused_at_);
  if (on_pause_) on_pause_();
}

void Daemon::WaitForWork() {
  Pause();
  int64_t rest = kLongestRest;
  if (const auto timer = engine_.NextTimer()) rest = std::min(rest, *timer - clock_.MonoNs());
  if (rest <= 0) return;
  steps_.Rest();
  engine_.WaitFor(rest);
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
  StopReflecting(/*wait=*/false);
  writes_.Shutdown(options_.shutdown_timeout_ns);
  StopReflecting(/*wait=*/true);
  if (const uint64_t dropped = writes_.dropped_events(); dropped > 0) {
    log::Warning("Events were dropped because the API server was too slow", {{"dropped", dropped}});
  }
}

}  // namespace berth::daemon
