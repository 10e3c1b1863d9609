#include "engine/engine.h"

#include <algorithm>

#include "base/random.h"
#include "bind/pending_op.h"
#include "cache/checker.h"
#include "framework/host_services.h"
#include "log/log.h"

namespace berth::engine {

Engine::Engine(api::Vocabulary& words, plugin::Services& services, const base::Clock& clock, bind::Executor& executor,
               Writes& writes, AttemptObserver* observer, const EngineOptions& options)
    : words_(words),
      services_(services),
      clock_(clock),
      writes_(writes),
      observer_(observer == nullptr ? silent_ : *observer),
      options_(options),
      cache_(words),
      workers_(options.workers),
      binding_(executor, options.blocking == nullptr ? executor : *options.blocking, waiting_, *this, clock) {
  workers_.SetParallelism(options.parallelism);
  framework::AddHostServices(services_, cache_, objects_);
  objects_.set_on_revert([this] { Wake(); });
  services_.binder = &binder_;
  services_.waiting = &waiting_;
  services_.tasks = &plugin_tasks_;
  services_.nominations = &nominations_;
  services_.extenders = &preempt_extenders_;
}

Engine::~Engine() {
  // Attempts hold pods of the queue; whoever destroys the engine has stopped the executor before.
  for (auto& [job, attempt] : attempts_) {
    if (attempt->job.profile == nullptr) continue;
    plugin::FreeSlot(attempt->cycle, BERTH_SLOT_CYCLE, attempt->job.profile->instances());
    plugin::FreeSlot(attempt->cycle, BERTH_SLOT_ATTEMPT, attempt->job.profile->instances());
  }
  attempts_.clear();
  spare_attempts_.clear();
  drained_.clear();
  // Instances go while there is still everything that their threads may call.
  offer_.reset();
  cycle_.reset();
  queue_.reset();
  policy_.reset();
  profiles_.reset();
  services_.tasks = nullptr;
  services_.binder = nullptr;
  services_.waiting = nullptr;
  services_.nominations = nullptr;
  services_.extenders = nullptr;
  services_.objects = nullptr;
}

void Engine::MakeQueue() {
  policy_ = std::make_unique<framework::ProfileQueuePolicy>(profiles_);
  queue_ = std::make_unique<queue::SchedulingQueue>(words_, clock_, *policy_, *this, options_.queue,
                                                    options_.queue_observer);
  cycle_ = std::make_unique<cycle::SchedulingCycle>(cache_, *queue_, reasons_, &workers_, options_.seed);
  cycle_->set_check_kept(options_.check_kept);
}

bool Engine::Step() {
  nominations_.Reset();
  bool worked = Drain();
  worked = FireTimers() || worked;
  TellChanges();
  if (RunTasks()) {
    worked = true;
    TellChanges();  // what they have assumed
  }
  worked = AdvanceOffer() || worked;
  worked = (popping_ && ScheduleOne()) || worked;
  ActivatePods();
  Housekeeping();
  return worked;
}

// true: there was a message. Newer ones are taken out of the inbox when those taken before have been read.
bool Engine::Drain() {
  if (next_drained_ == drained_.size()) {
    inbox_.inbox.Drain(drained_);
    next_drained_ = 0;
  }
  if (drained_.empty()) return false;
  return DrainFor(NextSlice());
}

// INT64_MAX: all of it.
int64_t Engine::NextSlice() {
  constexpr int64_t kLongest = 50 * base::kMillisecond;  // the time since the last one may have been a rest
  if (options_.inbox_slice_ns == 0) return INT64_MAX;
  const int64_t since_last = clock_.MonoNs() - drain_ended_mono_ns_;
  return std::max(options_.inbox_slice_ns, std::min(since_last, kLongest));
}

bool Engine::DrainFor(int64_t slice_ns) {
  constexpr size_t kBetweenLooks = 16;  // messages; a look at the clock costs as much as a cheap one
  const bool all = slice_ns == INT64_MAX;
  const int64_t began = all ? 0 : clock_.MonoNs();
  for (size_t read = 0; next_drained_ < drained_.size(); ++read) {
    if (!all && read % kBetweenLooks == kBetweenLooks - 1 && clock_.MonoNs() - began >= slice_ns) break;
    Message message = std::move(drained_[next_drained_++]);  // what it holds goes with it
    std::visit([this](auto& m) { On(m); }, message);
  }
  if (next_drained_ == drained_.size()) {
    drained_.clear();
    next_drained_ = 0;
  }
  if (!all) drain_ended_mono_ns_ = clock_.MonoNs();
  return true;
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
  if (const auto timer = queue_->NextTimer(); timer && *timer <= now) {
    queue_->FlushDue(now);
    fired = true;
  }
  return fired;
}

std::optional<int64_t> Engine::NextTimer() const {
  std::optional<int64_t> next = waiting_.NextDeadline();
  if (const auto timer = queue_->NextTimer()) {
    const int64_t mono = clock_.MonoNs() + (*timer - clock_.WallUnixNs());
    next = next ? std::min(*next, mono) : mono;
  }
  if (const auto deadline = binding_.operations().NextDeadline()) next = next ? std::min(*next, *deadline) : deadline;
  if (const auto task = tasks_.Next()) next = next ? std::min(*next, *task) : task;
  return next;
}

void Engine::TellChanges() {
  DeliverObjectChanges();
  cache_.TakeDeltas(deltas_);
  DeliverDeltas();
}

// Feeds what gathered in deltas_ to every instance that counts; the views stay alive in deltas_.
void Engine::DeliverDeltas() {
  if (deltas_.empty()) return;
  ForEachInstance([&](plugin::Instance& instance) { TellDeltas(instance, deltas_); });
  if (offer_ != nullptr) offer_->newcomers.Tell(deltas_);
  deltas_.clear();
}

void Engine::BeginShutdown() {
  popping_ = false;
  ending_ = true;
  waiting_.RejectAll("scheduler is shutting down");
  for (const auto& [job, attempt] : attempts_) binding_.GiveUp(job->pod->uid, "scheduler is shutting down");
}

void Engine::AbandonAttempts() {
  // Those that ended meanwhile need nothing.
  DrainFor(INT64_MAX);
  inbox_.inbox.Drain(drained_);
  DrainFor(INT64_MAX);
  for (auto& [job, attempt] : attempts_) {
    log::Warning("Binding did not end in time, its outcome is unknown",
                 {{"pod", job->pod->key()}, {"node", job->node_name}});
    framework::RunUnreserve(*job->profile, *job->cycle, job->pod->abi, job->node.get());
  }
}

// Between cycles, when nothing is running that could have borrowed what is forgotten here.
void Engine::Housekeeping() {
  if (policy_->TakeOrderChanged()) queue_->ResortActive();
  constexpr uint64_t kEvery = 256;
  if (++steps_ % kEvery == 0) words_.ids.EndEpoch();
  if (reasons_.size() < 2 * reasons_at_last_sweep_ + 4096) return;
  std::vector<uint8_t> keep(reasons_.capacity(), 0);
  for (const auto& profile : profiles_->profiles) framework::FilterRun::MarkReasons(*profile, keep);
  reasons_.Sweep(keep);
  reasons_at_last_sweep_ = reasons_.size();
}

std::vector<Engine::InFlight> Engine::AttemptsInFlight() const {
  std::vector<InFlight> all;
  for (const auto& [job, attempt] : attempts_) {
    all.push_back({job->pod->key(), job->profile->scheduler_name(), job->node_name});
  }
  std::sort(all.begin(), all.end(), [](const InFlight& a, const InFlight& b) { return a.pod < b.pod; });
  return all;
}

const api::Pod* Engine::FindPod(std::string_view key) const {
  auto it = pods_.find(key);
  return it == pods_.end() ? nullptr : it->second.get();
}

api::PodRef Engine::PodByKey(std::string_view key) const {
  auto it = pods_.find(key);
  return it == pods_.end() ? api::PodRef() : it->second;
}

void Engine::SetNominatedNode(bind::BindJob& job) {
  if (words_.ids.Text(job.pod->abi.nominated_node) == job.node_name) return;
  writes_.PatchStatus(job.pod, StatusPatch{std::nullopt, job.node_name});
}

void Engine::HoldingBinder::Bind(const berth_pod& pod, std::string_view node, berth_op* op) {
  bind::PendingOp::HeldByHost(op);
  writes.Bind(pod, node, op);
}

void Engine::PermitOver(bind::BindJob& job) { inbox_.inbox.Push(PermitOverMessage{job.pod->uid}); }

void Engine::BoundByExtender(bind::BindJob& job) { writes_.BoundByExtender(*job.pod, job.node_name); }

void Engine::Finished(bind::BindJob& job, plugin::Status status, bool at_permit) {
  inbox_.inbox.Push(FinishedMessage{&job, std::move(status), at_permit});
}

}  // namespace berth::engine
