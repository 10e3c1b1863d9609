#include "scheduler/queue/requeue_judge.h"

#include <algorithm>

namespace berth::queue {
namespace {

// A wildcard event with an object concerns only that pod.
bool WildcardIsFor(const QueuedPod& pod, const EventObjects& objects) {
  if (objects.new_node || objects.new_value != nullptr) return false;
  return !objects.new_pod || objects.new_pod->uid == pod.pod->uid;
}

Strategy Interpret(const QueuedPod& pod, base::Id plugin) {
  return pod.pending_plugins.Contains(plugin) ? Strategy::kImmediately : Strategy::kAfterBackoff;
}

}  // namespace

Strategy RequeueJudge::Judge(const QueuedPod& pod, const api::ClusterEvent& event, const EventObjects& objects) {
  if (!pod.has_rejectors()) return Strategy::kAfterBackoff;
  if (event.IsWildcard()) return WildcardIsFor(pod, objects) ? Strategy::kAfterBackoff : Strategy::kSkip;
  if (!interests_.HasProfile(pod.profile())) return Strategy::kAfterBackoff;
  Strategy strategy = Strategy::kSkip;
  batch_.assign(1, &pod.pod->abi);
  for (const Match& match : interests_.For(event).registrations) {
    if (match.profile != pod.profile() || !pod.IsRejector(match.plugin)) continue;
    Ask(match, event, objects);
    if (flags_[0] == 0) continue;
    strategy = std::max(strategy, Interpret(pod, match.plugin));
    if (IsSettled(pod, strategy)) break;
  }
  return strategy;
}

std::span<const RequeueJudge::Movable> RequeueJudge::JudgeParked(const ParkedPods& parked,
                                                                 const api::ClusterEvent& event,
                                                                 const EventObjects& objects, const Filter& filter) {
  ++round_;
  movable_.clear();
  const Matches& matches = interests_.For(event);
  if (event.IsWildcard()) {
    parked.ForEach([&](QueuedPod& pod) {
      if (IsCandidate(pod, matches, filter) && WildcardIsFor(pod, objects)) Raise(pod, Strategy::kAfterBackoff);
    });
  } else {
    JudgeOrphans(parked, matches, filter);
    for (const Match& match : matches.registrations) {
      const ParkedBucket* bucket = parked.Find(match.profile, match.plugin);
      if (bucket != nullptr) JudgeBucket(*bucket, match, matches, event, objects, filter);
    }
  }
  for (Movable& m : movable_) m.strategy = static_cast<Strategy>(m.pod->judged_strategy_);
  std::sort(movable_.begin(), movable_.end(),
            [](const Movable& a, const Movable& b) { return a.pod->parked_sequence_ < b.pod->parked_sequence_; });
  return movable_;
}

// Any event requeues the pods of a profile that no longer exists.
void RequeueJudge::JudgeOrphans(const ParkedPods& parked, const Matches& matches, const Filter& filter) {
  parked.ForEachBucket([&](const ParkedBucket& bucket) {
    if (bucket.pods.empty() || interests_.HasProfile(bucket.profile)) return;
    for (QueuedPod* pod : bucket.pods) {
      if (IsCandidate(*pod, matches, filter)) Raise(*pod, Strategy::kAfterBackoff);
    }
  });
}

void RequeueJudge::JudgeBucket(const ParkedBucket& bucket, const Match& match, const Matches& matches,
                               const api::ClusterEvent& event, const EventObjects& objects, const Filter& filter) {
  asked_.clear();
  batch_.clear();
  for (QueuedPod* pod : bucket.pods) {
    if (!IsCandidate(*pod, matches, filter)) continue;
    if (IsSettled(*pod, static_cast<Strategy>(pod->judged_strategy_))) continue;
    asked_.push_back(pod);
    batch_.push_back(&pod->pod->abi);
  }
  if (batch_.empty()) return;
  Ask(match, event, objects);
  for (size_t i = 0; i < asked_.size(); ++i) {
    if (flags_[i] != 0) Raise(*asked_[i], Interpret(*asked_[i], match.plugin));
  }
}

void RequeueJudge::Ask(const Match& match, const api::ClusterEvent& event, const EventObjects& objects) {
  flags_.assign(batch_.size(), match.has_hint ? 0 : 1);
  if (!match.has_hint) return;
  const int32_t code = policy_.Hints({match.profile, match.plugin, match.interest, event, objects, batch_}, flags_);
  if (code != BERTH_SUCCESS) flags_.assign(batch_.size(), 1);
}

bool RequeueJudge::IsCandidate(QueuedPod& pod, const Matches& matches, const Filter& filter) {
  if (pod.judged_round_ != round_) {
    pod.judged_round_ = round_;
    pod.judged_strategy_ = static_cast<uint8_t>(Strategy::kSkip);
    pod.judged_excluded_ = (filter && !filter(pod)) || (pod.gated() && !matches.Has(pod.gating_plugin));
  }
  return !pod.judged_excluded_;
}

void RequeueJudge::Raise(QueuedPod& pod, Strategy strategy) {
  if (pod.judged_strategy_ == static_cast<uint8_t>(Strategy::kSkip)) movable_.push_back({&pod, strategy});
  pod.judged_strategy_ = std::max(pod.judged_strategy_, static_cast<uint8_t>(strategy));
}

}  // namespace berth::queue
