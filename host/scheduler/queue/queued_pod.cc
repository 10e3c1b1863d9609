#include "scheduler/queue/queued_pod.h"

#include <cassert>
#include <utility>

namespace berth::queue {

std::string_view PlaceLabel(Place place) {
  switch (place) {
    case Place::kActive: return "active";
    case Place::kBackoff:
    case Place::kErrorBackoff: return "backoff";
    case Place::kUnschedulable: return "unschedulable";
    case Place::kNone: break;
  }
  return "";
}

void QueuedPod::ClearRejectorPlugins() {
  unschedulable_plugins.Clear();
  pending_plugins.Clear();
  gating_plugin = base::kNoId;
  gating_code = 0;
  gating_message.clear();
}

void QueuedPod::Reset() {
  pod = {};
  timestamp = initial_attempt_timestamp = backoff_expiration = BERTH_NO_TIME;
  attempts = unschedulable_count = consecutive_errors_count = 0;
  was_flushed_from_unschedulable = false;
  gated_count = 0;
  last_gate = base::kNoId;
  wakeup = {};
  ClearRejectorPlugins();
  last_decision.reset();
  rejected_nodes = {};
}

PodPool::~PodPool() { assert(in_use_ == 0 && "a QueuedPodPtr outlived its queue"); }

QueuedPodPtr PodPool::Make(api::PodRef pod, int64_t timestamp) {
  if (free_ == nullptr) {
    slabs_.push_back(std::make_unique<QueuedPod[]>(kSlab));
    for (size_t i = kSlab; i-- > 0;) {
      slabs_.back()[i].next_by_key_ = free_;
      free_ = &slabs_.back()[i];
    }
  }
  QueuedPod* made = std::exchange(free_, free_->next_by_key_);
  made->next_by_key_ = nullptr;
  made->pod = std::move(pod);
  made->timestamp = timestamp;
  ++in_use_;
  return Own(made);
}

void PodPool::Give(QueuedPod* pod) {
  assert(pod->place_ == Place::kNone && pod->slots_.empty());
  pod->Reset();
  pod->next_by_key_ = std::exchange(free_, pod);
  --in_use_;
}

}  // namespace berth::queue
