#include "plugin/instance/pending_callbacks.h"

#include <utility>

namespace berth::plugin {

uint64_t PendingCallbacks::Add(Abandon abandon) {
  base::MutexLock lock(mutex_);
  if (ended_) return 0;
  waiting_.emplace(++last_ticket_, std::move(abandon));
  return last_ticket_;
}

bool PendingCallbacks::Take(uint64_t ticket) {
  base::MutexLock lock(mutex_);
  if (waiting_.erase(ticket) == 0) return false;
  ++running_;
  return true;
}

void PendingCallbacks::Done() {
  base::MutexLock lock(mutex_);
  if (--running_ == 0) quiet_.notify_all();  // under the lock: without it, End may return and destroy this
}

void PendingCallbacks::End() {
  std::unordered_map<uint64_t, Abandon> left;
  {
    base::MutexLock lock(mutex_);
    ended_ = true;
    left.swap(waiting_);
  }
  for (const auto& [ticket, abandon] : left) abandon();
  base::MutexLock lock(mutex_);
  quiet_.wait(lock, [this]() REQUIRES(mutex_) { return running_ == 0; });
}

}  // namespace berth::plugin
