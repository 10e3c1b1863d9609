#include "scheduler/queue/requeue_evaluator.h"

#include <algorithm>

namespace berth::queue {
namespace {

// A wildcard event with an object concerns only that pod.
bool WildcardIsFor(const QueuedPod& pod, const EventObjects& objects) {
  if (objects.new_node || objects.new_value != nullptr) return false;
  return !objects.new_pod || objects.new_pod->uid() == pod.pod->uid();
}

Strategy Interpret(const QueuedPod& pod, base::Id plugin) {
  return pod.pending_plugins.Contains(plugin) ? Strategy::kImmediately : Strategy::kAfterBackoff;
}

}  // namespace

RequeueEvaluator::Answer RequeueEvaluator::Evaluate(const QueuedPod& pod, const api::ClusterEvent& event,
                                                    const EventObjects& objects) {
  if (!pod.has_rejectors()) return {Strategy::kAfterBackoff};
  if (event.IsWildcard()) return {WildcardIsFor(pod, objects) ? Strategy::kAfterBackoff : Strategy::kSkip};
  if (!interests_.HasProfile(pod.profile())) return {Strategy::kAfterBackoff};
  Answer answer;
  batch_.assign(1, &pod.pod->abi);
  for (const Match& match : interests_.For(event).registrations) {
    if (match.profile != pod.profile() || !pod.IsRejector(match.plugin)) continue;
    Ask(match, event, objects);
    const Strategy strategy = flags_[0] == 0 ? Strategy::kSkip : Interpret(pod, match.plugin);
    if (strategy > answer.strategy) answer = {strategy, match.plugin};
    if (IsSettled(pod, answer.strategy)) break;
  }
  return answer;
}

std::span<const RequeueEvaluator::Movable> RequeueEvaluator::EvaluateParked(const ParkedPods& parked,
                                                                            const api::ClusterEvent& event,
                                                                            const EventObjects& objects,
                                                                            const Filter& filter) {
  ++round_;
  movable_.clear();
  const Matches& matches = interests_.For(event);
  if (event.IsWildcard()) {
    parked.ForEach([&](QueuedPod& pod) {
      if (IsCandidate(pod, matches, filter) && WildcardIsFor(pod, objects)) Raise(pod, {Strategy::kAfterBackoff});
    });
  } else {
    EvaluateOrphans(parked, matches, filter);
    for (const Match& match : matches.registrations) {
      const ParkedBucket* bucket = parked.Find(match.profile, match.plugin);
      if (bucket != nullptr) EvaluateBucket(*bucket, match, matches, event, objects, filter);
    }
  }
  for (Movable& m : movable_) {
    m.strategy = static_cast<Strategy>(m.pod->evaluated_strategy_);
    m.plugin = m.pod->evaluated_plugin_;
  }
  std::sort(movable_.begin(), movable_.end(),
            [](const Movable& a, const Movable& b) { return a.pod->parked_sequence_ < b.pod->parked_sequence_; });
  return movable_;
}

// Any event requeues the pods of a profile that no longer exists.
void RequeueEvaluator::EvaluateOrphans(const ParkedPods& parked, const Matches& matches, const Filter& filter) {
  parked.ForEachBucket([&](const ParkedBucket& bucket) {
    if (bucket.pods.empty() || interests_.HasProfile(bucket.profile)) return;
    for (QueuedPod* pod : bucket.pods) {
      if (IsCandidate(*pod, matches, filter)) Raise(*pod, {Strategy::kAfterBackoff});
    }
  });
}

void RequeueEvaluator::EvaluateBucket(const ParkedBucket& bucket, const Match& match, const Matches& matches,
                                      const api::ClusterEvent& event, const EventObjects& objects,
                                      const Filter& filter) {
  asked_.clear();
  batch_.clear();
  for (QueuedPod* pod : bucket.pods) {
    if (!IsCandidate(*pod, matches, filter)) continue;
    if (IsSettled(*pod, static_cast<Strategy>(pod->evaluated_strategy_))) continue;
    asked_.push_back(pod);
    batch_.push_back(&pod->pod->abi);
  }
  if (batch_.empty()) return;
  Ask(match, event, objects);
  for (size_t i = 0; i < asked_.size(); ++i) {
    if (flags_[i] != 0) Raise(*asked_[i], {Interpret(*asked_[i], match.plugin), match.plugin});
  }
}

void RequeueEvaluator::Ask(const Match& match, const api::ClusterEvent& event, const EventObjects& objects) {
  flags_.assign(batch_.size(), match.has_hint ? 0 : 1);
  if (!match.has_hint) return;
  const int64_t started = observer_ == nullptr ? 0 : clock_->MonoNs();
  const bool done = AskHint(match, event, objects);
  if (observer_ == nullptr) return;
  const auto n_queue =
      static_cast<size_t>(std::count_if(flags_.begin(), flags_.end(), [](uint8_t f) { return f != 0; }));
  observer_->HintAsked(match.plugin, event, batch_.size(), n_queue, !done, clock_->MonoNs() - started);
}

bool RequeueEvaluator::AskHint(const Match& match, const api::ClusterEvent& event, const EventObjects& objects) {
  const int32_t code = policy_.Hints({match.profile, match.plugin, match.interest, event, objects, batch_}, flags_);
  if (code == BERTH_SUCCESS) return true;
  flags_.assign(batch_.size(), 1);
  return false;
}

bool RequeueEvaluator::IsCandidate(QueuedPod& pod, const Matches& matches, const Filter& filter) {
  if (pod.evaluated_round_ != round_) {
    pod.evaluated_round_ = round_;
    pod.evaluated_strategy_ = static_cast<uint8_t>(Strategy::kSkip);
    pod.evaluated_excluded_ = (filter && !filter(pod)) || (pod.gated() && !matches.Has(pod.gating_plugin));
  }
  return !pod.evaluated_excluded_;
}

void RequeueEvaluator::Raise(QueuedPod& pod, const Answer& answer) {
  const auto strategy = static_cast<uint8_t>(answer.strategy);
  if (strategy <= pod.evaluated_strategy_) return;
  if (pod.evaluated_strategy_ == static_cast<uint8_t>(Strategy::kSkip)) {
    movable_.push_back({&pod, answer.strategy, answer.plugin});
  }
  pod.evaluated_strategy_ = strategy;
  pod.evaluated_plugin_ = answer.plugin;
}

}  // namespace berth::queue
