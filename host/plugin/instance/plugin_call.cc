#include "plugin/instance/plugin_call.h"

#include <cstdio>
#include <ctime>

#include "plugin/instance/instance.h"

namespace berth::plugin {
namespace {

// The call that this thread runs; plugins call because() on the thread of the call.
thread_local const void* t_host = nullptr;
thread_local CallReport* t_report = nullptr;

// Longer deadlines use the coarse clock, which the kernel's tick advances (10 ms at most). It takes a fifth of the time
// of the exact clock, and most calls take less time than the exact clock.
constexpr int64_t kCoarseFrom = base::kSecond / 4;

// The time in ns on the clock for this deadline; only differences have a meaning.
int64_t TimeFor(int64_t deadline_ns) {
  if (deadline_ns == INT64_MAX) return 0;
  timespec now;
  clock_gettime(deadline_ns >= kCoarseFrom ? CLOCK_MONOTONIC_COARSE : CLOCK_MONOTONIC, &now);
  return now.tv_sec * base::kSecond + now.tv_nsec;
}

// The turn of a library that one thread at a time may call.
std::unique_lock<std::recursive_mutex> WaitForTurn(std::recursive_mutex& mutex) {
  std::unique_lock turn(mutex, std::try_to_lock);
  if (turn) return turn;
  const HostTime host;  // of an enclosing call
  turn.lock();
  return turn;
}

std::string Seconds(int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3gs", static_cast<double>(ns) / 1e9);
  return text;
}

}  // namespace

std::vector<std::string>* ReasonsOfRunningCall(const berth_host* host) {
  return t_host == host ? &t_report->reasons : nullptr;
}

void BlameHost() {
  if (t_report != nullptr) t_report->host_failed = true;
}

PluginCall::PluginCall(Instance& instance, const char* what, CallTerms terms)
    : instance_(instance), what_(what), terms_(terms), outer_host_(t_host), outer_report_(t_report) {
  if (!terms.also_quarantined && instance.quarantined()) {
    refused_ = true;
    return;
  }
  if (instance.serial_mutex() != nullptr) turn_ = WaitForTurn(*instance.serial_mutex());
  started_mono_ns_ = TimeFor(terms.deadline_ns);  // the wait for the turn does not count
  t_host = instance.host();
  t_report = &report_;
  outer_call_ = EnterCall(&instance, what, instance.spec().faults.hang_after_ns, terms.deadline_ns != INT64_MAX);
}

PluginCall::~PluginCall() {
  if (refused_) return;
  t_host = outer_host_;
  t_report = outer_report_;
  LeaveCall(outer_call_);
}

Status PluginCall::Refusal() const { return instance_.fault_record().Refusal(); }

// Reads the lateness of the watchdog before NotOwnTime: a look between the two counts twice rather than not at all.
int64_t PluginCall::OwnTime() const {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t mono_ns = now.tv_sec * base::kSecond + now.tv_nsec;
  const int64_t late = LatenessOfLook(mono_ns);
  return mono_ns - started_mono_ns_ - late - (NotOwnTime() - outer_call_.not_own_ns);
}

Status PluginCall::Finish(berth_status code, berth_status* raw) {
  FaultRecord& faults = instance_.fault_record();
  if (TimeFor(terms_.deadline_ns) - started_mono_ns_ > terms_.deadline_ns) {
    if (const int64_t took = OwnTime(); took > terms_.deadline_ns) {
      std::string text = "plugin \"" + instance_.name() + "\" came back from " + what_ + " after " + Seconds(took) +
                         ", later than its deadline of " + Seconds(terms_.deadline_ns);
      if (!terms_.late_answer_stands) return faults.Fail(what_, std::move(text));
      faults.Add({what_, text});
    }
  }
  if (raw != nullptr) {
    *raw = code;
    if (code == BERTH_LATER || code == BERTH_UNIFORM) return {};
  }
  if (code < BERTH_SUCCESS || code > BERTH_PENDING) return faults.FailWithCode(what_, code);
  std::vector<std::string>& reasons = report_.reasons;
  if (code == BERTH_SUCCESS && reasons.empty()) return {};
  const bool told = !reasons.empty();
  if (code == BERTH_ERROR && !told) {
    reasons.push_back("plugin \"" + instance_.name() + "\" returned an error from " + what_ + " and did not say why");
  }
  if (code == BERTH_ERROR && !report_.host_failed) faults.Add({what_, reasons.front(), told});
  return Status{static_cast<Code>(code), instance_.name_id(), std::move(reasons)};
}

Status PluginCall::Threw(const char* text) {
  return instance_.fault_record().Fail(what_, "plugin \"" + instance_.name() + "\" threw in " + what_ + ": " + text);
}

}  // namespace berth::plugin
