#include "http/await_credentials.h"

#include <condition_variable>
#include <mutex>

namespace berth::http {
namespace {

class Bell {
 public:
  void Ring() {
    std::lock_guard lock(mutex_);
    rung_ = true;
    changed_.notify_all();
  }
  // false: stop came first.
  bool Wait(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    return changed_.wait(lock, stop, [this] { return rung_; });
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  bool rung_ = false;
};

}  // namespace

std::shared_ptr<Connections> AwaitCredentials(CurrentConnections& current, const std::stop_token& stop) {
  while (true) {
    auto connections = current.Get();
    const auto& ready = connections->peer->options.ready;
    const auto bell = std::make_shared<Bell>();
    if (!ready || ready([bell] { bell->Ring(); })) return connections;
    // Others may come in the place of those that were asked.
    const std::stop_callback on_change(connections->changed.get_token(), [&bell] { bell->Ring(); });
    if (!bell->Wait(stop)) return nullptr;
  }
}

}  // namespace berth::http
