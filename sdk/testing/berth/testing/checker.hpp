// Who is being called, and what it did wrong. Every call into the plugin under test runs inside a CallScope; the fake
// host's functions ask the checker whether they may be called there. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
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

  static CallScope*& Current();
};

class Checker {
 public:
  void Report(const std::string& what);
  // What the plugin did wrong so far; looking takes over the duty to complain.
  std::vector<std::string> Violations();
  // Violations that nobody has looked at.
  std::vector<std::string> Unseen() const;

  // Why calls that have no status failed, as the plugin told the host.
  std::vector<std::string> Faults() const;
  void AddFaults(const std::vector<std::string>& why);

  // A host function is being called; where says in which domains it may be.
  CallScope* MayCall(const char* function, uint32_t where);
  // ... and it was handed this cycle.
  CallScope* MayCall(const char* function, uint32_t where, const berth_cycle* cycle);

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

}  // namespace berth::sdk::testing
