// The state of the process that a plugin could change, as facts that can be compared: descriptors, threads, signal
// dispositions, environment, locale, floating point, ... Thread: any. Ownership: a value.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace berth::validate {

class ProcessState {
 public:
  static ProcessState Now();
  // "the working directory was /, is /tmp", one text for each fact that has changed.
  std::vector<std::string> ChangesSince(const ProcessState& before) const;

  size_t descriptors() const { return descriptors_; }
  size_t threads() const { return threads_; }

 private:
  std::map<std::string, std::string> facts_;
  size_t descriptors_ = 0, threads_ = 0;
};

// Bytes of the heap that are in use, as malloc reports. 0 if it does not report them (sanitizers).
size_t HeapInUse();

}  // namespace berth::validate
