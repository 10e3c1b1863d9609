#include "plugin/running_call.h"

#include <unistd.h>

#include <array>

namespace berth::plugin {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

std::array<CallSlot, kMostCallSlots> g_slots;
void (*g_on_first_call)() = nullptr;
void (*g_on_new_instance)() = nullptr;

// Without a destructor, so that the way of a call costs one comparison.
thread_local CallSlot* t_slot = nullptr;
// Where a thread keeps its call when all slots are taken.
thread_local CallSlot t_unseen;

// Gives the slot back when the thread ends.
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
                        slot.hurried.load(kRelaxed)};
  Set(slot, instance, what, hang_after_ns, hurried);
  return outer;
}

void LeaveCall(const OuterCall& outer) {
  Set(SlotOfThread(), outer.call.instance, outer.call.what, outer.hang_after_ns, outer.hurried);
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
