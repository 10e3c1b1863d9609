// The call that each thread runs, and its plugin, in a form that signal handlers and the watchdog can read. A call
// takes no lock, allocates nothing and reads no clock here.
//
// Thread: EnterCall, LeaveCall, HostTime and PodScope on the thread that calls; Excuse and NoteLook on the watchdog;
// CallOfThread on any thread and in signal handlers; any thread reads the slots. Ownership: slots live as long as the
// process; a thread has one from its first call until it ends. With more than kMostCallSlots threads, other threads do
// not see the rest.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace berth::api {
class Pod;
}

namespace berth::plugin {

class Instance;

// instance is null outside of calls; pod may be null inside: calls about no pod.
struct RunningCall {
  const Instance* instance = nullptr;
  const char* what = "";
  const api::Pod* pod = nullptr;
};

// Of this thread.
RunningCall CallOfThread();

inline constexpr size_t kMostCallSlots = 512;

struct alignas(64) CallSlot {
  std::atomic<const Instance*> instance{nullptr};
  std::atomic<const char*> what{""};
  std::atomic<const api::Pod*> pod{nullptr};
  std::atomic<uint64_t> changes{0};       // grows with each beginning and end of a call
  std::atomic<int64_t> hang_after_ns{0};  // after this time the call hangs
  std::atomic<bool> hurried{false};       // the call has a deadline
  std::atomic<pid_t> thread{0};           // 0: the slot is free
  // Times of the thread that count against no call. They only grow, except host_since_ns: when the host began to work
  // for the call, in mono ns of the coarse clock; 0: it does not.
  std::atomic<int64_t> host_since_ns{0};
  std::atomic<int64_t> host_ns{0};     // time of the host, without the time since host_since_ns
  std::atomic<int64_t> excused_ns{0};  // see Excuse
};

// kMostCallSlots of them.
const CallSlot* CallSlots();

// Adds time in which the thread of a call could not run: the process was stopped, or had no CPU. On the watchdog only;
// n: index of the slot.
void Excuse(size_t n, int64_t ns);
// The watchdog has looked at the calls at mono_ns, and looks again after look_every_ns. When it is late, the process as
// a whole had no CPU.
void NoteLook(int64_t mono_ns, int64_t look_every_ns);
void NoMoreLooks();
// How late the next look is, in ns; 0 without a watchdog.
int64_t LatenessOfLook(int64_t mono_ns);

// What Enter replaced, for Leave.
struct OuterCall {
  RunningCall call;
  int64_t hang_after_ns = 0;
  bool hurried = false;
  int64_t host_since_ns = 0;
  int64_t not_own_ns = 0;  // NotOwnTime when the inner call began
};
// Of this thread since it began: host_ns and excused_ns of its slot.
int64_t NotOwnTime();
OuterCall EnterCall(const Instance* instance, const char* what, int64_t hang_after_ns, bool hurried);
void LeaveCall(const OuterCall& outer);

// A scope in which the thread works or waits for the host, on behalf of a plugin that called a service. The time counts
// neither against the deadline of the call nor as a hang. A service that can wait for more than a short critical
// section has such a scope; others need none. A plugin that the host calls within the scope accounts for its own time.
class HostTime {
 public:
  HostTime();
  ~HostTime();
  HostTime(const HostTime&) = delete;

 private:
  int64_t before_ns_ = 0;  // host_ns of the slot
  int64_t since_ns_ = 0;   // 0: there is an enclosing scope
};

// Within the scope, calls of this thread are about this pod, which outlives the scope.
class PodScope {
 public:
  explicit PodScope(const api::Pod* pod);
  ~PodScope();
  PodScope(const PodScope&) = delete;

 private:
  const api::Pod* outer_;
};

// Each thread calls fn before its first call into a plugin. Set once, while there is no other thread.
void SetOnFirstCall(void (*fn)());
// The host calls fn before it creates each instance, after it mapped the library. Set once, likewise.
void SetOnNewInstance(void (*fn)());
void BeforeNewInstance();

}  // namespace berth::plugin
