// Until when this process certainly holds the Lease. Followers take a Lease over when they have seen no change
// for leaseDuration; they see a renewal after it was sent, so the time of sending plus leaseDuration is before that.
// Every request that only the leader may send asks Holds first. A process that was stopped or suspended for longer sees
// that it no longer holds the Lease, even before its elector runs again. Thread: Holds any, without a lock; Extend and
// Revoke the elector's.
#pragma once

#include <atomic>
#include <cstdint>

namespace berth::election {

class FenceState {
 public:
  // margin_ns: the time that the request needs to take effect. now_boot_ns: BootNs().
  bool Holds(int64_t now_boot_ns, int64_t margin_ns = 0) const {
    const int64_t until = valid_until_boot_ns_.load(std::memory_order_acquire);
    return until != kNever && now_boot_ns < until - margin_ns;
  }
  int64_t valid_until_boot_ns() const { return valid_until_boot_ns_.load(std::memory_order_acquire); }
  // For code that must watch the value itself, such as the re-exec.
  const std::atomic<int64_t>& value() const { return valid_until_boot_ns_; }

  void Extend(int64_t until_boot_ns) { valid_until_boot_ns_.store(until_boot_ns, std::memory_order_release); }
  void Revoke() { valid_until_boot_ns_.store(kNever, std::memory_order_release); }

 private:
  static constexpr int64_t kNever = 0;
  static_assert(std::atomic<int64_t>::is_always_lock_free);
  std::atomic<int64_t> valid_until_boot_ns_{kNever};
};

}  // namespace berth::election
