// A pool of large objects that a plugin needs for every pod and does not want to allocate each time. A lease refers to
// an object in use. Copies of a lease share the object (clones of cycle data do so). The last copy returns it, on the
// thread on which the host frees the cycle data. Thread: Take is [serial] (one at a time); leases are [any].
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace plugins {

template <class T>
class Pool {
  struct Slot {
    std::atomic<uint32_t> users{0};
    T thing;
  };

 public:
  class Lease {
   public:
    explicit Lease(Slot* slot) : slot_(slot) { slot_->users.fetch_add(1, std::memory_order_relaxed); }
    Lease(const Lease& other) : Lease(other.slot_) {}
    Lease& operator=(const Lease&) = delete;
    ~Lease() { slot_->users.fetch_sub(1, std::memory_order_release); }
    const T& operator*() const { return slot_->thing; }
    const T* operator->() const { return &slot_->thing; }
    T& edit() { return slot_->thing; }  // before it is shared

   private:
    Slot* slot_;
  };

  // Returns an unused object in the state in which its last user left it. Leases must not outlive the pool.
  Lease Take() {
    for (const auto& slot : slots_) {
      if (slot->users.load(std::memory_order_acquire) == 0) return Lease(slot.get());
    }
    return Lease(slots_.emplace_back(std::make_unique<Slot>()).get());
  }

 private:
  std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace plugins
