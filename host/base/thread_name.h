// The names of threads, which ps -L, gdb, core dumps, and /debug/pprof/goroutine show. Thread: any.
#pragma once

#include <string>

namespace berth::base {

// Names the calling thread. The kernel keeps the first 15 characters. The name of the main thread is the name of the
// process, so main does not call it.
void NameThread(const std::string& name);

// Names the threads that others start from this one, which inherit its name, until the end of the object.
class NameOfStartedThreads {
 public:
  explicit NameOfStartedThreads(const std::string& name);
  ~NameOfStartedThreads();
  NameOfStartedThreads(const NameOfStartedThreads&) = delete;

 private:
  char before_[16] = {};
};

}  // namespace berth::base
