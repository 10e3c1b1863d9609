#include "plugin/instance/running_call.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>

namespace berth::plugin {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr int64_t kNoLook = INT64_MAX;

std::array<CallSlot, kMostCallSlots> g_slots;
std::atomic<int64_t> g_next_look{kNoLook};  // mono ns
void (*g_on_first_call)() = nullptr;
void (*g_on_new_instance)() = nullptr;

// Without a destructor, so that a call costs one comparison.
thread_local CallSlot* t_slot = nullptr;
// For a thread without a slot.
thread_local CallSlot t_unseen;

// Returns the slot when the thread ends.
struct Registration {
  CallSlot* slot = nullptr;
  ~Registration() {
    t_slot = nullptr;
    if (slot != nullptr) slot->thread.store(0, std::memory_order_release);
  }
};
thread_local Registration t_registration;

CallSlot* TakeSlot() {
  for (CallSlot& slot : g_slots) {
    pid_t nobody = 0;
    if (slot.thread.load(kRelaxed) == 0 && slot.thread.compare_exchange_strong(nobody, gettid())) return &slot;
  }
  return nullptr;
}

[[gnu::noinline]] CallSlot& FirstCall() {
  t_registration.slot = TakeSlot();
  t_slot = t_registration.slot == nullptr ? &t_unseen : t_registration.slot;
  if (g_on_first_call != nullptr) g_on_first_call();
  return *t_slot;
}

// Precise to the kernel's tick, and never 0.
int64_t CoarseNow() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec + 1;
}

CallSlot& SlotOfThread() { return t_slot == nullptr ? FirstCall() : *t_slot; }

void Set(CallSlot& slot, const Instance* instance, const char* what, int64_t hang_after_ns, bool hurried) {
  slot.instance.store(instance, kRelaxed);
  slot.what.store(what, kRelaxed);
  slot.hang_after_ns.store(hang_after_ns, kRelaxed);
  slot.hurried.store(hurried, kRelaxed);
  slot.changes.store(slot.changes.load(kRelaxed) + 1, std::memory_order_release);
}

}  // namespace

RunningCall CallOfThread() {
  const CallSlot* slot = t_slot;
  if (slot == nullptr) return {};
  return {slot->instance.load(kRelaxed), slot->what.load(kRelaxed), slot->pod.load(kRelaxed)};
}

const CallSlot* CallSlots() { return g_slots.data(); }

OuterCall EnterCall(const Instance* instance, const char* what, int64_t hang_after_ns, bool hurried) {
  CallSlot& slot = SlotOfThread();
  const OuterCall outer{{slot.instance.load(kRelaxed), slot.what.load(kRelaxed), nullptr},
                        slot.hang_after_ns.load(kRelaxed),
                        slot.hurried.load(kRelaxed),
                        slot.host_since_ns.load(kRelaxed),
                        slot.host_ns.load(kRelaxed) + slot.excused_ns.load(kRelaxed)};
  if (outer.host_since_ns != 0) slot.host_since_ns.store(0, kRelaxed);
  Set(slot, instance, what, hang_after_ns, hurried);
  return outer;
}

void LeaveCall(const OuterCall& outer) {
  CallSlot& slot = SlotOfThread();
  if (outer.host_since_ns != 0) slot.host_since_ns.store(outer.host_since_ns, kRelaxed);
  Set(slot, outer.call.instance, outer.call.what, outer.hang_after_ns, outer.hurried);
}

int64_t NotOwnTime() {
  const CallSlot& slot = SlotOfThread();
  return slot.host_ns.load(kRelaxed) + slot.excused_ns.load(kRelaxed);
}

void Excuse(size_t n, int64_t ns) { g_slots[n].excused_ns.fetch_add(ns, kRelaxed); }

void NoteLook(int64_t mono_ns, int64_t look_every_ns) { g_next_look.store(mono_ns + look_every_ns); }

void NoMoreLooks() { g_next_look.store(kNoLook); }

int64_t LatenessOfLook(int64_t mono_ns) {
  const int64_t next = g_next_look.load();
  return next == kNoLook ? 0 : std::max<int64_t>(0, mono_ns - next);
}

// A scope within another of the same call adds nothing.
HostTime::HostTime() {
  CallSlot& slot = SlotOfThread();
  if (slot.host_since_ns.load(kRelaxed) != 0) return;
  before_ns_ = slot.host_ns.load(kRelaxed);
  since_ns_ = CoarseNow();
  slot.host_since_ns.store(since_ns_, kRelaxed);
}

// Replaces what calls within the scope added.
HostTime::~HostTime() {
  if (since_ns_ == 0) return;
  CallSlot& slot = SlotOfThread();
  slot.host_since_ns.store(0, kRelaxed);
  slot.host_ns.store(before_ns_ + CoarseNow() - since_ns_, kRelaxed);
}

PodScope::PodScope(const api::Pod* pod) : outer_(SlotOfThread().pod.load(kRelaxed)) {
  SlotOfThread().pod.store(pod, kRelaxed);
}

PodScope::~PodScope() { SlotOfThread().pod.store(outer_, kRelaxed); }

void SetOnFirstCall(void (*fn)()) { g_on_first_call = fn; }
void SetOnNewInstance(void (*fn)()) { g_on_new_instance = fn; }

void BeforeNewInstance() {
  if (g_on_new_instance != nullptr) g_on_new_instance();
}

}  // namespace berth::plugin
