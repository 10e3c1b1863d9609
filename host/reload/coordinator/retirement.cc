#include "reload/coordinator/retirement.h"

#include "base/thread_name.h"

namespace berth::reload {

Retirement::Retirement() : thread_([bin = bin_] { bin->Work(); }) {}

std::shared_ptr<const framework::ProfileSet> Retirement::Wrap(std::shared_ptr<framework::ProfileSet> set) {
  const framework::ProfileSet* raw = set.get();
  return {raw, [bin = bin_, set = std::move(set)](const framework::ProfileSet*) mutable { bin->Take(std::move(set)); }};
}

void Retirement::Bin::Take(Retired set) {
  {
    base::MutexLock lock(mutex);
    if (!stopped) {
      retired.push_back(std::move(set));
      filled.notify_one();
      return;
    }
  }
  set.reset();
}

void Retirement::Bin::Work() {
  base::NameThread("retirement");
  base::MutexLock lock(mutex);
  for (;;) {
    filled.wait(lock, [this]() REQUIRES(mutex) { return stopped || !retired.empty(); });
    if (retired.empty()) return;
    Retired next = std::move(retired.front());
    retired.pop_front();
    lock.unlock();
    next.reset();
    lock.lock();
  }
}

void Retirement::Stop() {
  {
    base::MutexLock lock(bin_->mutex);
    bin_->stopped = true;
    bin_->filled.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

}  // namespace berth::reload
