// Which call into which plugin each thread is in, kept so that handlers of signals and a watching thread can read it:
// no lock, no memory, no clock on the way of a call.
//
// Thread: Enter, Leave and PodScope on the thread that calls; CallOfThread on any thread, also in a handler; the slots
// are read from anywhere. Ownership: slots live as long as the process; a thread has one from its first call until it
// ends. When there are more than kMostCallSlots threads the rest are not seen by others.
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
};

// kMostCallSlots of them.
const CallSlot* CallSlots();

// What Enter replaced, for Leave.
struct OuterCall {
  RunningCall call;
  int64_t hang_after_ns = 0;
  bool hurried = false;
};
OuterCall EnterCall(const Instance* instance, const char* what, int64_t hang_after_ns, bool hurried);
void LeaveCall(const OuterCall& outer);

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
