// Records the current call into the plugin and the mistakes of the plugin. Every call into the plugin under test runs
// inside a CallScope; the functions of the fake host ask the checker whether the call allows them. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "berth/abi.h"

namespace berth::sdk::testing {

// The thread domains of abi.h, and the stages of the life cycle that have separate rules.
enum Domain : uint32_t {
  kCreating = 1,    // the plugin must not call the host yet
  kStarting = 2,    // init
  kActivating = 4,  // activate: columns may be opened
  kSerial = 8,
  kParallel = 16,
  kBinding = 32,
  kEnding = 64,   // deactivate, destroy, cycle_free
  kAsking = 128,  // extension, args: no cycle
  kNoCall = 256,  // a thread of the plugin, between init and destroy
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
  std::vector<std::string> because;  // the last texts of because(); faults if no result takes them
  CallScope* outer;

  static CallScope*& Current();
};

class Checker {
 public:
  void Report(const std::string& what);
  // The mistakes of the plugin so far. After this call, the checker no longer complains about them.
  std::vector<std::string> Violations();
  // The violations that the test has not read yet.
  std::vector<std::string> Unseen() const;

  // The reasons that the plugin gave for failures of calls without a status.
  std::vector<std::string> Faults() const;
  void AddFaults(const std::vector<std::string>& why);

  // The plugin calls a host function; `where`: the domains that allow the function.
  CallScope* MayCall(const char* function, uint32_t where);
  // ... and the plugin passed this cycle.
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
