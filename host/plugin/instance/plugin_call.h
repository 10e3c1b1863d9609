// One call into a plugin, from its beginning to its status: the deadline, the slot that the watchdog reads, the turn of
// a library that one thread at a time may call, and the barrier that stops exceptions.
// Thread: the one that calls. Ownership: on the stack of the caller; the instance outlives it.
#pragma once

#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "berth/berth.h"
#include "plugin/instance/running_call.h"
#include "plugin/instance/status.h"

namespace berth::plugin {

class Instance;

struct CallTerms {
  int64_t deadline_ns = INT64_MAX;  // INT64_MAX: none
  bool also_quarantined = false;    // calls a quarantined instance, too
  bool late_answer_stands = false;  // a late answer is a fault, but it still counts
};

// What the plugin and the services report during a call about its outcome.
struct CallReport {
  std::vector<std::string> reasons;  // from the plugin
  bool host_failed = false;          // a service could not do its work, which is not the plugin's fault
};

class PluginCall {
 public:
  PluginCall(Instance& instance, const char* what, CallTerms terms);
  ~PluginCall();
  PluginCall(const PluginCall&) = delete;

  // True: the instance is quarantined, and the plugin must not run.
  bool refused() const { return refused_; }
  Status Refusal() const;
  // The plugin returned code.
  Status Finish(berth_status code, berth_status* raw);
  Status Threw(const char* text);

 private:
  // The plugin's own part of the time since the beginning, in ns.
  int64_t OwnTime() const;

  Instance& instance_;
  const char* what_;
  CallTerms terms_;
  int64_t started_mono_ns_ = 0;
  bool refused_ = false;
  CallReport report_;
  const void* outer_host_;
  CallReport* outer_report_;
  OuterCall outer_call_;
  std::unique_lock<std::recursive_mutex> turn_;
};

// Runs fn() -> berth_status inside the plugin, see Instance::Call.
template <class Fn>
Status RunCall(Instance& instance, const char* what, CallTerms terms, Fn&& fn, berth_status* raw) {
  PluginCall call(instance, what, terms);
  if (call.refused()) return call.Refusal();
  try {
    const berth_status code = fn();
    return call.Finish(code, raw);
  } catch (const std::exception& e) {
    return call.Threw(e.what());
  } catch (...) {
    return call.Threw("an exception that is not a std::exception");
  }
}

// For because() of the host table: the reasons of the call that this thread runs, null when host is not in one.
std::vector<std::string>* ReasonsOfRunningCall(const berth_host* host);
// For services that could not do their work, for example when a server does not answer: an error that the running call
// then returns does not count as a fault of the plugin. Within the call, on its thread.
void BlameHost();

}  // namespace berth::plugin
