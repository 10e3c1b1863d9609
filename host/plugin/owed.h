// What an instance is owed: callbacks that must come exactly once, each either when the thing it waits for happens or,
// as "it will not happen", when the instance ends first. Whoever holds a ticket for an instance that has ended finds
// that out here, and touches neither instance nor library.
// Threads: any; End on the one that ends the instance, which must not be one that is calling back. Ownership: shared by
// the instance and everybody who holds a ticket.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>

namespace berth::plugin {

class Owed {
 public:
  using Abandon = std::function<void()>;  // calls back with "it will not happen"

  // A ticket, never 0. 0: the instance has ended and abandon was not kept.
  uint64_t Add(Abandon abandon);
  // True: it is the caller's now to call back, and then to say Over. False: that has been done.
  bool Take(uint64_t ticket);
  void Over();
  // Abandons all that is left and waits for the calls that were taken. Nothing is kept any more.
  void End();

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable quiet_;
  std::unordered_map<uint64_t, Abandon> waiting_;
  uint64_t last_ticket_ = 0;
  uint32_t running_ = 0;  // taken, and not over
  bool ended_ = false;
};

}  // namespace berth::plugin
