// What the running scheduler does about plugins that take it along, put together: what the process before has left is
// told, fatal signals and calls that never return are caught, and what is in quarantine is kept out.
// Thread: main; see the functions. Ownership: one for the life of the process; what is passed in outlives it.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "assembly/policy.h"
#include "base/result.h"
#include "daemon/daemon.h"
#include "options/options.h"
#include "recovery/back_off_end.h"
#include "recovery/crash_record.h"
#include "recovery/quarantine.h"
#include "recovery/watchdog.h"

namespace berth {

class Recovery {
 public:
  // Before any library is opened. Logs how the process before has ended, tells listener, and puts the library at fault
  // into quarantine; from now on signals are caught. listener may be null.
  static base::Result<std::unique_ptr<Recovery>> Start(const options::SchedulerOptions& options,
                                                       recovery::CrashListener* listener = nullptr);

  // Policies made with these options keep out what is in quarantine.
  void Guard(assembly::PolicyOptions& options) const;
  // The file whose changes mean another policy.
  const std::string& quarantine_path() const { return quarantine_.path(); }
  // Why the process before ended; nullopt: nothing is known.
  const std::optional<recovery::CrashRecord>& crash() const { return crash_; }

  // Optional plugins that fail too often come into quarantine. Before the first instance is made.
  void KeepOutFailing(plugin::Services& services);
  // From now on calls that never return end the process, and look_again() is called, by any thread, when there is
  // something new in quarantine, or a back-off in it is over. daemon.Run is called by this thread.
  void Watch(daemon::Daemon& daemon, std::function<void()> look_again);
  // When the daemon has ended: nothing that was passed to Watch is used any more.
  void StopWatching();

 private:
  explicit Recovery(std::string quarantine) : quarantine_(std::move(quarantine)) {}
  void LookAgain();  // any thread
  void TellOfCrash(const recovery::Place& place, recovery::CrashListener* listener);

  const recovery::Quarantine quarantine_;
  std::optional<recovery::CrashRecord> crash_;
  std::mutex mutex_;
  std::function<void()> look_again_;  // under mutex_
  std::unique_ptr<recovery::Watchdog> watchdog_;
  std::unique_ptr<recovery::BackOffEnd> back_off_end_;
};

// For a child of a scheduler with these options, which tries a policy: the quarantine of its parent.
assembly::ReadQuarantine QuarantineOfParent(const options::SchedulerOptions& options);

}  // namespace berth
