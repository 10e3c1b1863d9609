#include "crash/watchdog/long_calls.h"

#include <algorithm>

namespace berth::crash {
namespace {

// The time that the host has worked for calls of the slot's thread.
int64_t HostTimeOf(const plugin::CallSlot& slot, int64_t now_ns) {
  const int64_t since_ns = slot.host_since_ns.load(std::memory_order_relaxed);
  return slot.host_ns.load(std::memory_order_relaxed) + (since_ns == 0 ? 0 : std::max<int64_t>(0, now_ns - since_ns));
}

}  // namespace

LongCalls::Seen LongCalls::See(const plugin::CallSlot& slot, uint64_t changes, int64_t now_ns) const {
  return {changes, 0, HostTimeOf(slot, now_ns), options_.progress(slot.thread.load(std::memory_order_relaxed))};
}

std::vector<LongCalls::Hang> LongCalls::Look(int64_t now_ns, const LimitOf& limit) {
  std::vector<Hang> hangs;
  const int64_t passed_ns = last_look_ns_ == 0 ? 0 : now_ns - last_look_ns_;
  ran_ns_ = std::clamp<int64_t>(passed_ns, 0, options_.look_every.count());
  last_look_ns_ = now_ns;
  const plugin::CallSlot* slots = plugin::CallSlots();
  for (size_t i = 0; i < plugin::kMostCallSlots; ++i) {
    const plugin::CallSlot& slot = slots[i];
    const uint64_t changes = slot.changes.load(std::memory_order_acquire);
    if (slot.thread.load(std::memory_order_relaxed) == 0 || slot.instance.load(std::memory_order_relaxed) == nullptr) {
      seen_.erase(i);
      continue;
    }
    Seen now = See(slot, changes, now_ns);
    int64_t excused_ns = passed_ns - ran_ns_;
    if (const auto before = seen_.find(i); before != seen_.end() && before->second.changes == changes) {
      const int64_t host_ns = std::clamp<int64_t>(now.host_ns - before->second.host_ns, 0, passed_ns);
      const int64_t own_ns =
          std::min(TimeOfItsOwn(before->second.progress, now.progress, ran_ns_), passed_ns - host_ns);
      now.own_ns = before->second.own_ns + own_ns;
      excused_ns = passed_ns - host_ns - own_ns;
    }
    if (excused_ns > 0) plugin::Excuse(i, excused_ns);
    if (now.own_ns > limit(slot).count()) {
      hangs.push_back({&slot, changes, std::chrono::nanoseconds(now.own_ns)});
      seen_.erase(i);
    } else {
      seen_[i] = now;
    }
  }
  plugin::NoteLook(now_ns, options_.look_every.count());
  return hangs;
}

}  // namespace berth::crash
