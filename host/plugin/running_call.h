// Which call into which plugin each thread is in, kept so that handlers of signals and a watching thread can read it:
// no lock, no memory, no clock on the way of a call.
//
// Thread: Enter, Leave, HostTime and PodScope on the thread that calls; Excuse and NoteLook on the one that watches;
// CallOfThread on any thread, also in a handler; the slots are read from anywhere. Ownership: slots live as long as the
// process; a thread has one from its first call until it ends. When there are more than kMostCallSlots threads the rest
// are not seen by others.
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
  std::atomic<int64_t> hang_after_ns{0};  // from when on the call counts as one that never returns
  std::atomic<bool> hurried{false};       // the call has a deadline
  std::atomic<pid_t> thread{0};           // 0: the slot is free
  // Times of the thread that count against no call. They only grow, but for host_since_ns: since when, in mono ns of
  // the coarse clock, the host itself is at work for the call; 0: it is not.
  std::atomic<int64_t> host_since_ns{0};
  std::atomic<int64_t> host_ns{0};     // that the host was at work, without what has begun at host_since_ns
  std::atomic<int64_t> excused_ns{0};  // see Excuse
};

// kMostCallSlots of them.
const CallSlot* CallSlots();

// Time during a call in which its thread had no chance to go on: the process was stopped, or had no CPU. Only the
// thread that watches the calls says so; n: of the slot.
void Excuse(size_t n, int64_t ns);
// The thread that watches the calls has just looked at them, and does so again after look_every_ns. Should it be late
// then, so is everybody.
void NoteLook(int64_t mono_ns, int64_t look_every_ns);
void NoMoreLooks();
// By how much the next look is late; 0 when nobody looks.
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

// What happens on this thread in this scope is the host's own work, or waiting, on behalf of the plugin that has called
// a service: it counts neither against the deadline of the call nor as time in which the call hangs. A service that may
// wait for anything but a short critical section has such a scope; others need none. A plugin that is called within the
// scope answers for its own time.
class HostTime {
 public:
  HostTime();
  ~HostTime();
  HostTime(const HostTime&) = delete;

 private:
  int64_t before_ns_ = 0;  // host_ns of the slot
  int64_t since_ns_ = 0;   // 0: there is a scope around it
};

// Calls of this thread are about this pod, which outlives the scope.
class PodScope {
 public:
  explicit PodScope(const api::Pod* pod);
  ~PodScope();
  PodScope(const PodScope&) = delete;

 private:
  const api::Pod* outer_;
};

// Called by each thread before its first call; set while there is no other thread, and never changed.
void SetOnFirstCall(void (*fn)());
// Called before each instance is made, when its library has been mapped; set likewise.
void SetOnNewInstance(void (*fn)());
void BeforeNewInstance();

}  // namespace berth::plugin
