// What a plugin could change about the process it runs in, as facts that can be compared: descriptors, threads, signal
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

// Bytes of the heap that are in use, by malloc's own account. 0 where it keeps none (sanitizers).
size_t HeapInUse();

}  // namespace berth::validate
