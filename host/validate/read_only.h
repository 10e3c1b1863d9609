// Memory that has two addresses: the fakes write at one, and plugins are shown the other, where nothing can be written.
// No page changes what it allows while plugins run, so that every write of a plugin faults, on every thread, and only
// that. Installed in the child process of each rule, for good; whoever writes there is told so before the process ends.
// Thread: Take and GiveBack any, Install main before the first fake is made. Ownership: the process.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "berth/testing/shown_memory.hpp"

namespace berth::validate {

class ReadOnly : public sdk::testing::ShownMemory {
 public:
  // From now on fakes show plugins memory of this kind. Throws std::runtime_error.
  static ReadOnly& Install();

  Place Take(size_t bytes) override;
  void GiveBack(const Place& place, size_t bytes) override;
  // Is this an address at which plugins are shown things?
  bool Shows(const void* address) const { return address >= shown_ && address < shown_ + kMost; }

 private:
  static constexpr size_t kMost = size_t{4} << 30;  // of addresses; pages come when they are written to

  ReadOnly();
  static size_t Rounded(size_t bytes);

  char* written_;
  char* shown_;
  pid_t owner_;
  std::mutex mutex_;  // guards what follows
  size_t used_ = 0;
  std::map<size_t, std::vector<size_t>> free_;  // offsets, by rounded size
};

}  // namespace berth::validate
