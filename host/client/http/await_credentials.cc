#include "client/http/await_credentials.h"

#include <condition_variable>

#include "base/thread_annotations.h"

namespace berth::http {
namespace {

class Bell {
 public:
  void Ring() {
    base::MutexLock lock(mutex_);
    rung_ = true;
    changed_.notify_all();
  }
  // False: stop was requested first.
  bool Wait(const std::stop_token& stop) {
    base::MutexLock lock(mutex_);
    return changed_.wait(lock, stop, [this]() REQUIRES(mutex_) { return rung_; });
  }

 private:
  base::Mutex mutex_;
  std::condition_variable_any changed_;
  bool rung_ GUARDED_BY(mutex_) = false;
};

}  // namespace

std::shared_ptr<Connections> AwaitCredentials(CurrentConnections& current, const std::stop_token& stop) {
  while (true) {
    auto connections = current.Get();
    const auto& ready = connections->peer->options.ready;
    const auto bell = std::make_shared<Bell>();
    if (!ready || ready([bell] { bell->Ring(); })) return connections;
    // Other connections may have replaced these in the meantime.
    const std::stop_callback on_change(connections->changed.get_token(), [&bell] { bell->Ring(); });
    if (!bell->Wait(stop)) return nullptr;
  }
}

}  // namespace berth::http
