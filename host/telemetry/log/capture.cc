#include "telemetry/log/capture.h"

#include "base/thread_annotations.h"
#include "telemetry/log/output.h"

namespace berth::log {

class Capture::Sink : public Listener {
 public:
  void OnLine(std::string_view line) override {
    base::MutexLock lock(mutex_);
    lines_.emplace_back(line);
  }
  std::vector<std::string> Lines() const {
    base::MutexLock lock(mutex_);
    return lines_;
  }

 private:
  mutable base::Mutex mutex_;
  std::vector<std::string> lines_ GUARDED_BY(mutex_);
};

Capture::Capture() : sink_(std::make_unique<Sink>()) { AddListener(*sink_); }

Capture::~Capture() { RemoveListener(*sink_); }

std::vector<std::string> Capture::Lines() const { return sink_->Lines(); }

std::vector<std::string> Capture::Messages() const {
  std::vector<std::string> messages = Lines();
  for (std::string& line : messages) line.erase(0, line.find("] ") + 2);
  return messages;
}

}  // namespace berth::log
