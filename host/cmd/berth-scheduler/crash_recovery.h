// Recovery from plugins that crash or hang the scheduler: reports the crash of the previous process, catches fatal
// signals and calls that never return, and keeps quarantined libraries out.
// Thread: main; see the functions. Ownership: one for the life of the process; what is passed in outlives it.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "cluster/daemon/daemon.h"
#include "config/options/options.h"
#include "crash/record/crash_record.h"
#include "crash/watchdog/watchdog.h"
#include "policy/assembly/policy.h"
#include "policy/quarantine/back_off_end.h"
#include "policy/quarantine/quarantine.h"

namespace berth {

class Recovery {
 public:
  // Call it before any library is opened. Logs how the previous process ended, calls listener, quarantines the library
  // at fault, and catches fatal signals from now on. listener may be null.
  static base::Result<std::unique_ptr<Recovery>> Start(const options::SchedulerOptions& options,
                                                       crash::CrashListener* listener = nullptr);

  // Policies built with these options leave out quarantined plugins.
  void Guard(assembly::PolicyOptions& options) const;
  // The file of the quarantine; a change of it may change the policy.
  const std::string& quarantine_path() const { return quarantine_.path(); }
  // Why the previous process ended; nullopt: unknown.
  const std::optional<crash::CrashRecord>& crash() const { return crash_; }

  // Quarantines the library of an optional plugin that failed too often. Thread: any.
  void QuarantineFailing(const plugin::Instance& instance);
  // From now on a call that never returns ends the process, and any thread calls look_again() when a library is
  // quarantined or a backoff ends. This thread calls daemon.Run.
  void Watch(daemon::Daemon& daemon, std::function<void()> look_again);
  // After the daemon has ended. Uses nothing that was passed to Watch from then on.
  void StopWatching();

 private:
  explicit Recovery(std::string quarantine) : quarantine_(std::move(quarantine)) {}
  void LookAgain();  // any thread
  void ReportCrash(const crash::StateDir& place, crash::CrashListener* listener);

  const quarantine::Quarantine quarantine_;
  std::optional<crash::CrashRecord> crash_;
  base::Mutex mutex_;  // held during the call, so that StopWatching waits for it
  std::function<void()> look_again_ GUARDED_BY(mutex_);
  std::unique_ptr<crash::Watchdog> watchdog_;
  std::unique_ptr<quarantine::BackOffEnd> back_off_end_;
};

// For a canary of a scheduler with these options: the quarantine of its parent process.
assembly::ReadQuarantine QuarantineOfParent(const options::SchedulerOptions& options);

}  // namespace berth
