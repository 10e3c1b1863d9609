// Collects the lines that are logged during its lifetime, for tests. They also go to standard error. Thread: lines may
// come from any; construct and destroy it on one.
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

  std::vector<std::string> Lines() const;     // without newlines
  std::vector<std::string> Messages() const;  // the part after "] "

 private:
  class Sink;
  std::unique_ptr<Sink> sink_;
};

}  // namespace berth::log
