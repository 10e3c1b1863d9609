// Work outside of a call: on the scheduling thread between two cycles, at once or after a delay. Make a Tasks in the
// plugin's constructor and keep it; a host without the service throws MissingService when it is used.
//   explicit MyPlugin(sdk::Host& host) : tasks_(host) {}
//   tasks_.Post(std::chrono::seconds(5), [this] { Sweep(); });
// Functions that never run, because the instance ends first, are destroyed.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "berth/detail/barrier.hpp"
#include "berth/detail/services.hpp"
#include "berth/host.hpp"
#include "berth/tasks.h"

namespace berth::sdk {

class Tasks {
 public:
  explicit Tasks(const Host& host)
      : host_(&host), table_(detail::CopyTable<berth_tasks>(host.raw()->service(host.raw(), BERTH_SERVICE_TASKS))) {
    using detail::Patch;
    Patch<"berth.host.tasks/1: post">(table_, &berth_tasks::post);
    Patch<"berth.host.tasks/1: activate">(table_, &berth_tasks::activate);
    Patch<"berth.host.tasks/1: wall_unix_ns">(table_, &berth_tasks::wall_unix_ns);
  }

  // [any] fn() runs once, [serial], between two cycles, at the earliest that long from now (negative counts as 0) by
  // the host's clock. It must be quick (50 µs). The host logs its exceptions. fn need not be copyable.
  template <class Fn>
  void Post(std::chrono::nanoseconds delay, Fn&& fn) const {
    auto task = std::make_unique<Task<std::decay_t<Fn>>>(Task<std::decay_t<Fn>>{host_, std::forward<Fn>(fn)});
    const int64_t ns = delay.count() < 0 ? 0 : delay.count();
    table_.post(host_->raw(), ns, &Task<std::decay_t<Fn>>::Call, task.get());
    task.release();  // NOLINT(bugprone-unused-return-value): Call owns it, and a missing service threw before
  }
  template <class Fn>
  void Post(Fn&& fn) const {
    Post(std::chrono::nanoseconds(0), std::forward<Fn>(fn));
  }

  // [serial] The pod becomes active, regardless of its backoff, after the running call; a pod whose attempt is running
  // is tried again soon. False: there is no such pod, or its binding cycle has begun.
  bool Activate(std::string_view uid) const { return table_.activate(host_->raw(), Borrow(uid)) != 0; }
  // [any] The host's wall clock, Unix nanoseconds; virtual in a simulation.
  int64_t WallUnixNs() const { return table_.wall_unix_ns(host_->raw()); }

 private:
  template <class Fn>
  struct Task {
    const Host* host;
    Fn fn;

    static void Call(void* arg, int32_t run) noexcept {
      const std::unique_ptr<Task> self(static_cast<Task*>(arg));
      if (run == 0) return;
      detail::GuardedCallback(*self->host, "a task", [&] { self->fn(); });
    }
  };

  const Host* host_;
  berth_tasks table_;
};

}  // namespace berth::sdk
