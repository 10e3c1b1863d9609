#include "scheduler/engine/engine.h"

#include <algorithm>

#include "scheduler/engine/consistency.h"
#include "scheduler/framework/filter.h"
#include "scheduler/framework/host_services.h"

namespace berth::engine {

Engine::Engine(api::InternTables& intern, const base::Clock& clock, bind::Executor& executor, Writes& writes,
               AttemptObserver* observer, const EngineOptions& options)
    : intern_(intern),
      clock_(clock),
      cache_(intern),
      objects_(intern),
      inbox_(clock, options.inbox_slice_ns),
      binder_(writes),
      waiting_(intern.ids),
      reports_(intern, inbox_, writes),
      binding_(executor, options.blocking == nullptr ? executor : *options.blocking, waiting_, reports_, clock),
      preempt_extenders_(cache_),
      workers_(options.workers),
      tasks_(clock, inbox_, queue_, pods_),
      nominations_({.intern = intern,
                    .writes = writes,
                    .queue = queue_,
                    .pods = pods_,
                    .waiting = waiting_,
                    .binding = binding_}),
      services_(intern, {.binder = &binder_,
                         .waiting = &waiting_,
                         .tasks = &tasks_,
                         .api = options.api,
                         .http = options.http,
                         .nominations = &nominations_,
                         .pods = &pods_,
                         .extenders = &preempt_extenders_,
                         .objects = &objects_,
                         .metrics = options.plugin_metrics,
                         .faults = options.fault_observer,
                         .decorator = options.host_decorator}),
      queue_(intern, clock, queue_policy_, pods_, options.queue, options.queue_observer),
      cycle_(clock, cache_, queue_, reasons_, &workers_, options.seed),
      feed_(cache_, objects_, policy_),
      recorder_(options.decisions, clock, intern),
      attempts_({.intern = intern,
                 .clock = clock,
                 .writes = writes,
                 .observer = observer == nullptr ? silent_ : *observer,
                 .cache = cache_,
                 .queue = queue_,
                 .cycle = cycle_,
                 .reasons = reasons_,
                 .policy = policy_,
                 .pods = pods_,
                 .waiting = waiting_,
                 .binding = binding_,
                 .seed = options.seed,
                 .tracer = options.tracer,
                 .recorder = recorder_,
                 .failure_notes = options.failure_notes,
                 .annotations = options.annotations}),
      publication_({.clock = clock,
                    .inbox = inbox_,
                    .writes = writes,
                    .cache = cache_,
                    .objects = objects_,
                    .queue = queue_,
                    .queue_policy = queue_policy_,
                    .cycle = cycle_,
                    .preempt_extenders = preempt_extenders_,
                    .workers = workers_,
                    .pods = pods_,
                    .waiting = waiting_,
                    .attempts = attempts_,
                    .feed = feed_,
                    .policy = policy_}),
      handlers_({.intern = intern,
                 .cache = cache_,
                 .objects = objects_,
                 .queue = queue_,
                 .pods = pods_,
                 .policy = policy_,
                 .feed = feed_,
                 .waiting = waiting_,
                 .binding = binding_,
                 .writes = writes,
                 .observer = observer == nullptr ? silent_ : *observer,
                 .clock = clock}) {
  workers_.SetParallelism(options.parallelism);
  cycle_.set_check_kept(options.check_kept);
  framework::AddHostServices(services_);
  objects_.set_on_revert([this] { Wake(); });
}

// Messages may hold a candidate or a task of a plugin: they are destroyed before what an instance may call.
Engine::~Engine() { inbox_.Clear(); }

void Engine::SetProfiles(std::shared_ptr<const framework::ProfileSet> profiles) {
  publication_.SetProfiles(std::move(profiles));
}

void Engine::SubmitCandidate(std::shared_ptr<const framework::ProfileSet> profiles, CandidateEnd end) {
  publication_.Submit(std::move(profiles), std::move(end));
}

void Engine::WithdrawCandidate() { publication_.Withdraw(); }

bool Engine::Preview(const api::Pod& pod, cycle::CycleResult& result) {
  feed_.DeliverChanges();
  return attempts_.Preview(pod, result);
}

std::vector<std::string> Engine::NodesForRoom(const api::Pod& pod, size_t most) {
  feed_.DeliverChanges();
  return attempts_.NodesForRoom(pod, most);
}

std::vector<std::string> Engine::PodsToLeave(const api::Pod& pod, const std::string& node) {
  feed_.DeliverChanges();
  return attempts_.PodsToLeave(pod, node);
}

void Engine::BeginShutdown() {
  popping_ = false;
  attempts_.BeginShutdown();
}

void Engine::AbandonAttempts() {
  inbox_.ReadAll(Dispatch{*this});  // attempts that have ended need nothing
  attempts_.Abandon();
}

bool Engine::Step() {
  nominations_.Reset();
  bool worked = inbox_.Read(Dispatch{*this});
  worked = FireTimers() || worked;
  feed_.DeliverChanges();
  if (tasks_.RunDue()) {
    worked = true;
    feed_.DeliverChanges();  // objects that the tasks have assumed
  }
  worked = publication_.Advance() || worked;
  worked = (popping_ && attempts_.ScheduleOne()) || worked;
  tasks_.ActivatePods();
  Housekeeping();
  return worked;
}

std::vector<api::PodRef> Engine::Pods() const {
  std::vector<api::PodRef> all;
  pods_.ForEach([&](const api::PodRef& pod) { all.push_back(pod); });
  return all;
}

bool Engine::FireTimers() {
  bool fired = false;
  if (const auto deadline = waiting_.NextDeadline(); deadline && *deadline <= clock_.MonoNs()) {
    waiting_.Expire(clock_.MonoNs());
    fired = true;
  }
  bind::OpenOperations& operations = binding_.operations();
  if (const auto deadline = operations.NextDeadline(); deadline && *deadline <= clock_.MonoNs()) {
    operations.Expire(clock_.MonoNs());
    fired = true;
  }
  const int64_t now = clock_.WallUnixNs();
  if (const auto timer = queue_.NextTimer(); timer && *timer <= now) {
    queue_.FlushDue(now);
    fired = true;
  }
  return fired;
}

std::optional<int64_t> Engine::NextTimer() const {
  std::optional<int64_t> next = waiting_.NextDeadline();
  if (const auto timer = queue_.NextTimer()) {
    const int64_t mono = clock_.MonoNs() + (*timer - clock_.WallUnixNs());
    next = next ? std::min(*next, mono) : mono;
  }
  if (const auto deadline = binding_.operations().NextDeadline()) next = next ? std::min(*next, *deadline) : deadline;
  if (const auto task = tasks_.Next()) next = next ? std::min(*next, *task) : task;
  return next;
}

// Between cycles no call is running that could have borrowed what is freed here.
void Engine::Housekeeping() {
  if (queue_policy_.TakeOrderChanged()) queue_.ResortActive();
  constexpr uint64_t kEvery = 256;  // steps
  if (++steps_ % kEvery == 0) intern_.ids.EndEpoch();
  if (reasons_.size() < 2 * reasons_at_last_sweep_ + 4096) return;
  std::vector<uint8_t> keep(reasons_.capacity(), 0);
  for (const auto& profile : policy_.profiles().profiles) framework::FilterRun::MarkReasons(*profile, keep);
  reasons_.Sweep(keep);
  reasons_at_last_sweep_ = reasons_.size();
}

std::vector<std::string> Engine::CheckConsistency() {
  feed_.DeliverDeltas();
  feed_.DeliverObjectChanges();
  return engine::CheckConsistency({.intern = intern_,
                                   .services = services_,
                                   .cache = cache_,
                                   .objects = objects_,
                                   .queue = queue_,
                                   .policy = policy_});
}

}  // namespace berth::engine
