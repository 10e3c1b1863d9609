#include "plugin/instance/fault_record.h"

#include <ctime>
#include <utility>

#include "plugin/instance/instance.h"
#include "telemetry/log/log.h"

namespace berth::plugin {
namespace {

constexpr uint32_t kMostFaultLines = 50;  // of one instance in a second

// Seconds of the coarse monotonic clock.
int64_t MonoSecond() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec;
}

}  // namespace

void FaultRecord::Add(const Fault& fault) {
  const HostTime host;  // of an enclosing call, too: the log and the quarantine file may be slow
  Log(fault.call, fault.text);
  const uint64_t n = count_.fetch_add(1, std::memory_order_relaxed) + 1;
  {
    base::MutexLock lock(mutex_);
    last_ = fault.text;
  }
  if (services_.ports.faults != nullptr) services_.ports.faults->OnFault(instance_, fault);
  // An instance that is not active serves no pod, and other instances of the same library may work.
  if (instance_.active()) QuarantineAfter(n, fault.text);
}

void FaultRecord::QuarantineAfter(uint64_t faults, const std::string& text) {
  const int limit = instance_.spec().faults.quarantine_after;
  if (limit <= 0 || faults < static_cast<uint64_t>(limit) || quarantined_.exchange(true)) return;
  log::Error("Plugin quarantined",
             {{"plugin", instance_.name()}, {"profile", instance_.profile()}, {"faults", faults}, {"last", text}});
  if (services_.ports.faults != nullptr) services_.ports.faults->OnQuarantine(instance_);
}

Status FaultRecord::Fail(const char* what, std::string text, bool told) {
  Add({what, text, told});
  return Status{Code::kError, instance_.name_id(), {std::move(text)}};
}

Status FaultRecord::FailWithCode(const char* what, berth_status code) {
  return Fail(what, "plugin \"" + instance_.name() + "\" returned status " + std::to_string(code) + " from " + what +
                        ", which is no status of that point");
}

Status FaultRecord::Refusal() const {
  base::MutexLock lock(mutex_);
  return Status{Code::kError,
                instance_.name_id(),
                {"plugin \"" + instance_.name() + "\" is quarantined after " + std::to_string(count()) +
                 " faults, the last: " + last_}};
}

// A plugin can fail for each row, or each time that the queue compares two pods.
void FaultRecord::Log(const char* what, const std::string& text) {
  uint32_t left_out = 0;
  {
    base::MutexLock lock(mutex_);
    const int64_t second = MonoSecond();
    if (std::exchange(lines_second_, second) != second) lines_ = 0;
    if (++lines_ > kMostFaultLines) {
      ++lines_left_out_;
      return;
    }
    left_out = std::exchange(lines_left_out_, 0);
  }
  const api::Pod* pod = CallOfThread().pod;
  log::Error("Plugin fault", {{"plugin", instance_.name()},
                              {"profile", instance_.profile()},
                              {"point", what},
                              {"pod", log::KObj(pod == nullptr ? std::string_view() : pod->key())},
                              {"err", text},
                              {"leftOut", left_out}});
}

}  // namespace berth::plugin
