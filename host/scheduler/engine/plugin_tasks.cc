#include "scheduler/engine/plugin_tasks.h"

#include <limits>
#include <utility>

namespace berth::engine {

void PluginTasks::Post(int64_t delay_ns, std::function<void()> fn) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const int64_t now = clock_.MonoNs();
  const int64_t due = delay_ns > kMost - now ? kMost : now + delay_ns;
  if (delay_ns == 0) posted_without_delay_.fetch_add(1, std::memory_order_relaxed);
  inbox_.Post(TimedTask{.due_mono_ns = due, .fn = std::move(fn)});
}

bool PluginTasks::RunDue() {
  const size_t ran = tasks_.RunDue(clock_.MonoNs());
  run_ += ran;
  ActivatePods();
  return ran > 0;
}

bool PluginTasks::Activate(std::string_view uid) {
  api::PodRef pod = pods_.ByUid(uid);
  if (!pod || pod->abi.node_name != base::kNoId) return false;
  if (queue_.Find(pod->key()) == nullptr && !queue_.in_flight().Has(uid)) return false;
  to_activate_.push_back(std::move(pod));
  return true;
}

void PluginTasks::ActivatePods() {
  if (to_activate_.empty()) return;
  std::vector<api::PodRef> pods;
  pods.swap(to_activate_);  // PreEnqueue plugins may activate more pods
  queue_.Activate(pods);
}

}  // namespace berth::engine
