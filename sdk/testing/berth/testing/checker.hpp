// Who is being called, and what it did wrong. Every call into the plugin under test runs inside a CallScope; the fake
// host's functions ask the checker whether they may be called there. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "berth/abi.h"

namespace berth::sdk::testing {

// The thread domains of abi.h, with the stages of the life cycle that have rules of their own.
enum Domain : uint32_t {
  kCreating = 1,    // the host must not be called yet
  kStarting = 2,    // init
  kActivating = 4,  // activate: columns may be opened
  kSerial = 8,
  kParallel = 16,
  kBinding = 32,
  kEnding = 64,   // deactivate, destroy, cycle_free
  kAsking = 128,  // extension, args: no cycle
  kNoCall = 256,  // a thread of the plugin's own, between init and destroy
  kInCycle = kSerial | kParallel | kBinding,
  kAnywhere = ~static_cast<uint32_t>(kCreating),
};

class Checker;

// One call into the plugin, on this thread.
struct CallScope {
  CallScope(Checker& of, const char* call, Domain in, berth_cycle* during = nullptr);
  ~CallScope();
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  Checker& checker;
  const char* name;
  Domain domain;
  berth_cycle* cycle;
  uint64_t number;                   // of this call, in the instance's life
  std::vector<std::string> because;  // what because() said last; a fault if nobody takes it
  CallScope* outer;

  static CallScope*& Current() {
    static thread_local CallScope* current = nullptr;
    return current;
  }
};

class Checker {
 public:
  void Report(const std::string& what) {
    const std::lock_guard lock(mutex_);
    violations_.push_back(what);
  }
  // What the plugin did wrong so far; looking takes over the duty to complain.
  std::vector<std::string> Violations() {
    const std::lock_guard lock(mutex_);
    looked_at_ = true;
    return violations_;
  }
  // Violations that nobody has looked at.
  std::vector<std::string> Unseen() const {
    const std::lock_guard lock(mutex_);
    return looked_at_ ? std::vector<std::string>() : violations_;
  }

  // Why calls that have no status failed, as the plugin told the host.
  std::vector<std::string> Faults() const {
    const std::lock_guard lock(mutex_);
    return faults_;
  }
  void AddFaults(const std::vector<std::string>& why) {
    const std::lock_guard lock(mutex_);
    faults_.insert(faults_.end(), why.begin(), why.end());
  }

  // A host function is being called; where says in which domains it may be.
  CallScope* MayCall(const char* function, uint32_t where) {
    CallScope* call = CallScope::Current();
    if (call != nullptr && &call->checker != this)
      call = nullptr;  // another instance's call: its thread, not its rights
    const Domain domain = call == nullptr ? kNoCall : call->domain;
    if ((where & domain) == 0) {
      Report(std::string(function) + " was called " + (call == nullptr ? "outside of any call" : "in ") +
             (call == nullptr ? "" : call->name) + ", where it must not be");
    }
    if (!alive_) Report(std::string(function) + " was called outside of the instance's life");
    return call;
  }
  // ... and it was handed this cycle.
  CallScope* MayCall(const char* function, uint32_t where, const berth_cycle* cycle) {
    CallScope* call = MayCall(function, where);
    if (call == nullptr || call->cycle != cycle) {
      Report(std::string(function) + " was called with a cycle that is not the one of the call being made");
    }
    return call;
  }

  void set_alive(bool alive) { alive_ = alive; }

 private:
  friend struct CallScope;
  mutable std::mutex mutex_;
  std::vector<std::string> violations_, faults_;
  bool looked_at_ = false;
  std::atomic<bool> alive_{true};
  std::atomic<uint64_t> calls_{0};
  std::atomic<int> serial_{0}, parallel_{0};
};

inline CallScope::CallScope(Checker& of, const char* call, Domain in, berth_cycle* during)
    : checker(of), name(call), domain(in), cycle(during), number(++of.calls_), outer(Current()) {
  if (domain == kSerial && (checker.serial_++ > 0 || checker.parallel_ > 0)) {
    throw std::logic_error(std::string("the test makes the [serial] call ") + name + " while another call runs");
  }
  // In a trial the host makes [parallel] calls within the plugin's [serial] call.
  const bool within = outer != nullptr && &outer->checker == &checker;
  if (domain == kParallel && (checker.parallel_++, checker.serial_ > 0 && !within)) {
    throw std::logic_error(std::string("the test makes the [parallel] call ") + name + " while a [serial] call runs");
  }
  Current() = this;
}

inline CallScope::~CallScope() {
  if (domain == kSerial) --checker.serial_;
  if (domain == kParallel) --checker.parallel_;
  Current() = outer;
  checker.AddFaults(because);
}

}  // namespace berth::sdk::testing
