// The part of Cache that handles topology domains and sets of pods.
#include "scheduler/cache/cache.h"

namespace berth::cache {

void Cache::BeginCycle() {
  resources_.HideColumns();
  images_.BeginCycle();
  domains_.BeginCycle();
  affinity_domains_.BeginCycle();
  cycle_thread_ = std::this_thread::get_id();
  pod_sets_.BeginCycle();
}

const PodCounts& Cache::CountPods(const berth_pod_set& set) {
  if (pod_sets_.asleep()) {
    pod_sets_.Wake();
    pods_.ForEach([&](PodRecord& record) {
      if (record.row != kNoRow) Count(record);
    });
  }
  return pod_sets_.Of(set);
}

void Cache::Count(PodRecord& record) { record.counted = pod_sets_.Add(*record.pod, record.row); }

void Cache::Uncount(PodRecord& record) {
  pod_sets_.Remove(record.counted);
  record.counted = PodSets::kNone;
}

}  // namespace berth::cache
