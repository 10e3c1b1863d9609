#include "scheduler/queue/scheduling_queue.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace berth::queue {
namespace {

constexpr int64_t kLeftoverPeriod = 30 * base::kSecond;

// The first tick of {origin + k * period, k >= 0} that is not before `at_least`.
int64_t TickFrom(int64_t origin, int64_t period, int64_t at_least) {
  if (at_least <= origin) return origin;
  const int64_t over = (at_least - origin) % period;
  return over == 0 ? at_least : SaturatingAdd(at_least, period - over);
}

}  // namespace

SchedulingQueue::SchedulingQueue(api::InternTables& intern, const base::Clock& clock, QueuePolicy& policy,
                                 const PodLookup& lookup, const QueueOptions& options, QueueObserver* observer)
    : intern_(intern),
      clock_(clock),
      policy_(policy),
      options_(options),
      observer_(observer != nullptr ? *observer : silent_),
      born_(clock.WallUnixNs()),
      active_(ActiveLess{&policy, &step_back_}),
      backoff_rule_(options.pod_initial_backoff_ns, options.pod_max_backoff_ns, options.pop_from_backoff_q),
      backoff_(backoff_rule_, policy),
      evaluator_(policy, observer, &clock),
      in_flight_(observer_),
      nominator_(intern.ids, lookup) {}

SchedulingQueue::~SchedulingQueue() {
  std::vector<QueuedPod*> all;
  by_key_.ForEach([&](QueuedPod& pod) { all.push_back(&pod); });
  for (QueuedPod* pod : all) Release(*pod);
}

void SchedulingQueue::Add(const api::PodRef& pod) {
  QueuedPod& queued = *pool_.Make(pod, clock_.WallUnixNs()).release();
  Wake(queued, kUnscheduledPodAdd);
  MoveToActive(queued, kUnscheduledPodAdd, false);
}

void SchedulingQueue::Update(const api::PodRef& before, const api::PodRef& after) {
  if (in_flight_.Has(after->uid())) {
    for (const api::ClusterEvent& event : api::PodUpdateEvents(intern_, *before, *after)) {
      in_flight_.Record(event, {.old_pod = before, .new_pod = after});
    }
    return;
  }
  QueuedPod* queued = by_key_.Find(after->key());
  if (queued == nullptr) {
    QueuedPod& made = *pool_.Make(after, clock_.WallUnixNs()).release();
    Wake(made, kUnscheduledPodUpdate);
    MoveToActive(made, kUnscheduledPodUpdate, false);
    return;
  }
  queued->pod = after;
  nominator_.Update(*before, after);
  switch (queued->place_) {
    case Place::kActive: active_.Fix(*queued); return;
    case Place::kBackoff:
    case Place::kErrorBackoff: backoff_.Fix(*queued); return;
    case Place::kUnschedulable: UpdateParked(*queued, before, after); return;
    case Place::kNone: assert(false && "a queued pod is nowhere");
  }
}

void SchedulingQueue::UpdateParked(QueuedPod& pod, const api::PodRef& before, const api::PodRef& after) {
  const EventObjects objects{.old_pod = before, .new_pod = after};
  for (const api::ClusterEvent& event : api::PodUpdateEvents(intern_, *before, *after)) {
    const auto [strategy, plugin] = evaluator_.Evaluate(pod, event, objects);
    const std::string_view label = LabelOf(event);
    if (strategy != Strategy::kSkip) Wake(pod, label, plugin);
    // Upstream continues after a move to backoffQ if SchedulerPopFromBackoffQ is off, and may then add the pod twice.
    if (Requeue(pod, strategy, label) != Place::kUnschedulable) return;
  }
}

void SchedulingQueue::Delete(const api::Pod& pod) {
  nominator_.Delete(pod.uid());
  QueuedPod* queued = by_key_.Find(pod.key());
  if (queued == nullptr) return;
  if (queued->place_ == Place::kUnschedulable) CountRejectors(*queued, -1);
  Release(*queued);
}

QueuedPodPtr SchedulingQueue::Pop() {
  if (step_back_.any() && step_back_.Expire(clock_.MonoNs())) active_.Init();
  while (true) {
    QueuedPod* next = nullptr;
    if (!active_.empty()) {
      next = &active_.Pop();
      next->place_ = Place::kNone;
    } else if (options_.pop_from_backoff_q && (next = backoff_.PopBackoff()) != nullptr) {
      observer_.Incoming(*next, Place::kActive, kPopFromBackoffQ);
    }
    if (next == nullptr) return {};
    QueuedPodPtr pod = Release(*next);
    ++pod->attempts;
    if (!in_flight_.Add(pod->pod)) {
      observer_.Discarded(*pod);
      continue;
    }
    ++scheduling_cycle_;
    CountRejectors(*pod, -1);
    return pod;
  }
}

void SchedulingQueue::NoteHeld(base::Id profile, int64_t held_ns) {
  if (step_back_.Note(profile, held_ns, clock_.MonoNs())) active_.Init();
}

void SchedulingQueue::Done(std::string_view uid) { in_flight_.Done(uid); }

base::Result<Place> SchedulingQueue::AddUnschedulableIfNotPresent(QueuedPodPtr pod) {
  const api::PodRef attempted = pod->pod;
  if (const QueuedPod* same = by_key_.Find(pod->key())) {
    in_flight_.Done(attempted->uid());
    const char* where = same->place_ == Place::kUnschedulable ? "unschedulable queue"
                        : same->place_ == Place::kActive      ? "the active queue"
                                                              : "the backoff queue";
    return base::Fail("Pod " + std::string(pod->key()) + " is already present in " + where);
  }
  if (pod->has_rejectors()) {
    ++pod->unschedulable_count;
    pod->consecutive_errors_count = 0;
  } else {
    ++pod->consecutive_errors_count;
  }
  pod->timestamp = clock_.WallUnixNs();
  pod->backoff_expiration = BERTH_NO_TIME;
  pod->was_flushed_from_unschedulable = false;
  pod->gated_count = 0;
  pod->last_gate = base::kNoId;
  CountRejectors(*pod, 1);

  const Strategy strategy = EvaluateInFlight(*pod);
  const Place place = Requeue(*pod.release(), strategy, kScheduleAttemptFailure);
  in_flight_.Done(attempted->uid());
  return place;
}

// Evaluates the pod by the events since it was popped.
Strategy SchedulingQueue::EvaluateInFlight(QueuedPod& pod) {
  Wake(pod, kScheduleAttemptFailure);  // unless an event is the reason
  if (!pod.has_rejectors()) return Strategy::kAfterBackoff;
  Strategy strategy = Strategy::kSkip;
  const bool found = in_flight_.ForEachEventSince(pod.pod->uid(), [&](const InFlightList::Entry& entry) {
    const RequeueEvaluator::Answer answer = evaluator_.Evaluate(pod, entry.event, entry.objects);
    if (answer.strategy > strategy) {
      strategy = answer.strategy;
      Wake(pod, LabelOf(entry.event), answer.plugin);
    }
    return !RequeueEvaluator::IsSettled(pod, strategy);
  });
  return found ? strategy : Strategy::kAfterBackoff;
}

void SchedulingQueue::Activate(std::span<const api::PodRef> pods) {
  for (const api::PodRef& pod : pods) {
    if (!ActivateOne(*pod) && in_flight_.Has(pod->uid())) in_flight_.Record(kEventForceActivate, {.new_pod = pod});
  }
}

bool SchedulingQueue::ActivateOne(const api::Pod& pod) {
  QueuedPod* queued = by_key_.Find(pod.key());
  if (queued == nullptr || queued->place_ == Place::kActive) return false;
  const bool from_backoff = queued->place_ != Place::kUnschedulable;
  if (from_backoff) Leave(*queued);
  Wake(*queued, kForceActivate);
  return MoveToActive(*queued, kForceActivate, from_backoff);
}

void SchedulingQueue::MoveAllToActiveOrBackoffQueue(const api::ClusterEvent& event, const EventObjects& objects,
                                                    const PreCheck& pre_check) {
  if (!evaluator_.Interested(event)) return;
  RequeueEvaluator::Filter filter;
  if (pre_check) filter = [&](const QueuedPod& pod) { return pre_check(*pod.pod); };
  MoveParked(event, objects, filter);
}

void SchedulingQueue::MoveParked(const api::ClusterEvent& event, const EventObjects& objects,
                                 const RequeueEvaluator::Filter& filter) {
  if (parked_.size() > 0) {
    const auto movable = evaluator_.EvaluateParked(parked_, event, objects, filter);
    const std::string_view label = movable.empty() ? std::string_view() : LabelOf(event);
    for (const RequeueEvaluator::Movable& m : movable) {
      Leave(*m.pod);
      Wake(*m.pod, label, m.plugin);
      Requeue(*m.pod, m.strategy, label);
    }
  }
  if (in_flight_.n_pods() > 0) in_flight_.Record(event, objects);
}

void SchedulingQueue::FlushBackoffCompleted(int64_t now) {
  completed_.clear();
  backoff_.PopAllCompleted(now, completed_);
  for (QueuedPod* pod : completed_) MoveToActive(*pod, kBackoffComplete, true);
}

void SchedulingQueue::FlushDue(int64_t now) {
  FlushBackoffCompleted(now);
  if (now >= born_) FlushUnschedulableLeftover(born_ + (now - born_) / kLeftoverPeriod * kLeftoverPeriod);
}

void SchedulingQueue::FlushUnschedulableLeftover(int64_t now) {
  const auto overdue = [&](const QueuedPod& pod) {
    return now - pod.timestamp > options_.pod_max_in_unschedulable_pods_ns;
  };
  bool any = false;
  parked_.ForEach([&](QueuedPod& pod) {
    if (!overdue(pod)) return;
    pod.was_flushed_from_unschedulable = true;
    any = true;
  });
  if (any) MoveParked(kEventUnschedulableTimeout, {}, overdue);
}

std::optional<int64_t> SchedulingQueue::NextTimer() const {
  std::optional<int64_t> next;
  if (backoff_.size() > 0) {
    const int64_t ready = backoff_rule_.ReadyAt(backoff_.FirstExpiration());
    next = backoff_rule_.aligned() ? ready : TickFrom(born_, base::kSecond, ready);
  }
  // The timeout does not concern gated pods: no gating plugin registers the wildcard event.
  if (const QueuedPod* oldest = parked_.FirstUngated()) {
    const int64_t due = SaturatingAdd(oldest->timestamp, SaturatingAdd(options_.pod_max_in_unschedulable_pods_ns, 1));
    next = std::min(next.value_or(std::numeric_limits<int64_t>::max()), TickFrom(born_, kLeftoverPeriod, due));
  }
  return next;
}

void SchedulingQueue::NominatedPodsForNode(base::Id node, std::vector<api::PodRef>& out) {
  out.clear();
  nominator_.ForEachOn(node, [&](const api::PodRef& pod) {
    const QueuedPod* queued = by_key_.Find(pod->key());
    out.push_back(queued != nullptr ? queued->pod : BarePod(*pod));
  });
}

void SchedulingQueue::ResortActive() {
  active_.Init();
  backoff_.Resort();
}

}  // namespace berth::queue
