// Plugins' work outside of calls: tasks between two cycles, and pods that plugins activate (core.md 5; upstream's
// PriorityQueue.Activate in pkg/scheduler/backend/queue/scheduling_queue.go).
#include <algorithm>
#include <limits>

#include "engine/engine.h"

namespace berth::engine {

void Engine::PluginTasks::Post(int64_t delay_ns, std::function<void()> fn) {
  const int64_t now = engine.clock_.MonoNs();
  const int64_t due =
      delay_ns > std::numeric_limits<int64_t>::max() - now ? std::numeric_limits<int64_t>::max() : now + delay_ns;
  if (delay_ns == 0) prompt.fetch_add(1, std::memory_order_relaxed);
  engine.inbox_.inbox.Push(TimedTask{due, std::move(fn)});
}

bool Engine::PluginTasks::Activate(std::string_view uid) { return engine.ActivateLater(uid); }

int64_t Engine::PluginTasks::WallUnixNs() const { return engine.clock_.WallUnixNs(); }

void Engine::On(TimedTask& task) { tasks_.Add(task.due_mono_ns, std::move(task.fn)); }

bool Engine::RunTasks() {
  const size_t ran = tasks_.RunDue(clock_.MonoNs());
  tasks_run_ += ran;
  ActivatePods();
  return ran > 0;
}

// The queue asks plugins about a pod that becomes active: not in the middle of a call into one.
bool Engine::ActivateLater(std::string_view uid) {
  api::PodRef pod = PodByUid(uid);
  if (!pod || pod->abi.node_name != base::kNoId) return false;
  if (queue_->Find(pod->key()) == nullptr && !queue_->in_flight().Has(uid)) return false;
  to_activate_.push_back(std::move(pod));
  return true;
}

void Engine::ActivatePods() {
  if (to_activate_.empty()) return;
  std::vector<api::PodRef> pods;
  pods.swap(to_activate_);  // the plugins that are asked may want more
  queue_->Activate(pods);
}

// Few plugins activate pods, so that the index is made when the first one does.
api::PodRef Engine::PodByUid(std::string_view uid) {
  if (!keys_by_uid_) {
    keys_by_uid_.emplace();
    for (const auto& [key, pod] : pods_) keys_by_uid_->emplace(pod->uid, key);
  }
  const auto at = keys_by_uid_->find(uid);
  return at == keys_by_uid_->end() ? api::PodRef() : PodByKey(at->second);
}

}  // namespace berth::engine
