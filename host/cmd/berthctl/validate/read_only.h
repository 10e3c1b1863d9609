// Memory that is mapped at two addresses: the fakes write at one, and plugins get the other, which is read-only. The
// protection of a page never changes while plugins run, so that every write of a plugin faults, on every thread, and
// nothing else does. Installed in the child process of each rule until it ends; a report of a fault there says that the
// plugin wrote to the host's data. Thread: Take and GiveBack any; Install main, before the first fake exists.
// Ownership: the process.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <vector>

#include "base/thread_annotations.h"
#include "berth/testing/shown_memory.hpp"

namespace berth::validate {

class ReadOnly : public sdk::testing::ShownMemory {
 public:
  // From now on fakes give plugins such memory. Throws std::runtime_error.
  static ReadOnly& Install();

  Place Take(size_t bytes) override;
  void GiveBack(const Place& place, size_t bytes) override;
  // Whether plugins get this address.
  bool Shows(const void* address) const { return address >= shown_ && address < shown_ + kMost; }

 private:
  static constexpr size_t kMost = size_t{4} << 30;  // bytes of address space; a page is allocated at its first write

  ReadOnly();
  static size_t Rounded(size_t bytes);

  char* written_;
  char* shown_;
  pid_t owner_;
  base::Mutex mutex_;
  size_t used_ GUARDED_BY(mutex_) = 0;
  std::map<size_t, std::vector<size_t>> free_ GUARDED_BY(mutex_);  // offsets, by rounded size
};

}  // namespace berth::validate
