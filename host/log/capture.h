// Collects the lines that are logged while it lives, for tests. They go to standard error as well.
// Thread: lines may come from any; construct and destroy on one.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace berth::log {

class Capture {
 public:
  Capture();
  ~Capture();
  Capture(const Capture&) = delete;

  std::vector<std::string> Lines() const;     // whole lines without the line break
  std::vector<std::string> Messages() const;  // what stands after "] "

 private:
  class Sink;
  std::unique_ptr<Sink> sink_;
};

}  // namespace berth::log
