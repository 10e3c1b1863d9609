#include "cmd/berth-scheduler/crash_recovery.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>

#include "base/text.h"
#include "cmd/berth-scheduler/command_line.h"
#include "crash/reexec/reexec.h"
#include "crash/signals/fatal_signals.h"
#include "telemetry/log/log.h"

namespace berth {
namespace {

// The unchanged arguments, for execve; they live as long as the process.
char** ArgumentsForExec() {
  static std::vector<std::string> arguments;
  static std::vector<char*> pointers;
  arguments = CommandLine();
  pointers.clear();
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  return pointers.data();
}

// As /proc/self/exe the process would have the name "exe". Children of the previous program are children of this one.
void SettleIn() {
  prctl(PR_SET_NAME, "berth-scheduler");
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

// For people who read the log later.
void AppendTo(const std::string& directory, const crash::CrashRecord& record, const std::vector<std::string>& stack) {
  if (directory.empty()) return;
  std::ofstream file(directory + "/crashes.log", std::ios::app);
  file << "unix time " << record.unix_ns / base::kSecond << ", pid " << record.pid << ": "
       << crash::WhatHappened(record) << ", " << crash::WhereItHappened(record) << ", sha256 " << record.sha256.data()
       << "\n";
  for (const std::string& frame : stack) file << "    " << frame << "\n";
}

quarantine::QuarantineEntry EntryFor(const crash::CrashRecord& record) {
  std::string reason = crash::WhatHappened(record) + " in " + record.point.data();
  if (record.pod[0] != '\0') reason += std::string(" of pod ") + record.pod.data();
  return {record.sha256.data(), record.unix_ns / base::kSecond, "*", "*",
          reason + " (plugin " + record.plugin.data() + ")"};
}

assembly::ReadQuarantine ReaderOf(const quarantine::Quarantine& quarantine) {
  return [quarantine] {
    return [entries = quarantine.ActiveEntries(time(nullptr))](const std::string& sha256, const std::string& plugin,
                                                               const std::string& profile) {
      return quarantine::WhyAmong(entries, sha256, plugin, profile);
    };
  };
}

}  // namespace

base::Result<std::unique_ptr<Recovery>> Recovery::Start(const options::SchedulerOptions& options,
                                                        crash::CrashListener* listener) {
  SettleIn();
  auto place = crash::StateDir::Open(options.state_dir, std::getenv(crash::StateDir::kEnvironment));
  if (!place) return tl::unexpected(place.error());
  if (const std::string value = place->EnvironmentValue(); !value.empty()) {
    setenv(crash::StateDir::kEnvironment, value.c_str(), 1);  // for the canary, which is our child
  }
  std::unique_ptr<Recovery> recovery(new Recovery(place->path(crash::File::kQuarantine)));
  recovery->ReportCrash(*place, listener);
  (void)recovery->quarantine_.EndBackOffs(time(nullptr));  // before the file is watched; it only avoids a check later
  crash::Prepare(std::move(*place), {!options.no_self_restart, ArgumentsForExec()});
  crash::InstallSignalHandlers();
  return recovery;
}

void Recovery::ReportCrash(const crash::StateDir& place, crash::CrashListener* listener) {
  crash_ = crash::TakeRecord(place);
  if (!crash_) return;
  const std::vector<std::string> stack = crash::StackOf(*crash_);
  const bool in_plugin = crash_->in_plugin != 0;
  log::Error(in_plugin ? "A plugin crashed the scheduler, its library is quarantined"
                       : "A signal outside of calls into plugins ended the scheduler",
             {{"pid", crash_->pid},
              {"what", crash::WhatHappened(*crash_)},
              {"where", crash::WhereItHappened(*crash_)},
              {"sha256", std::string(crash_->sha256.data())},
              {"policyGeneration", crash_->policy_generation},
              {"libraryGeneration", crash_->generation},
              {"podProfile", std::string(crash_->pod_profile.data())},
              {"stack", base::Join(stack, " < ")}});
  AppendTo(place.directory(), *crash_, stack);
  // A slow library may be slow by chance; a library that crashed will crash again.
  const bool timed = crash_->signal == 0;
  const bool kept =
      !in_plugin || (timed ? quarantine_.AddForATime(EntryFor(*crash_)) : quarantine_.Add(EntryFor(*crash_)));
  if (!kept) {
    log::Error("Failed to write the quarantine", {{"file", quarantine_.path()}});
  }
  if (listener != nullptr) listener->OnCrash(*crash_);
}

void Recovery::Guard(assembly::PolicyOptions& options) const { options.quarantine = ReaderOf(quarantine_); }

void Recovery::QuarantineFailing(const plugin::Instance& instance) {
  if (!instance.spec().faults.optional) return;
  quarantine_.Add({instance.library().sha256(), time(nullptr), instance.profile(), instance.name(),
                   "failed " + std::to_string(instance.faults()) + " times"});
  LookAgain();
}

void Recovery::LookAgain() {
  base::MutexLock lock(mutex_);
  if (look_again_) look_again_();
}

void Recovery::StopWatching() {
  watchdog_.reset();
  back_off_end_.reset();
  base::MutexLock lock(mutex_);
  look_again_ = nullptr;
}

void Recovery::Watch(daemon::Daemon& daemon, std::function<void()> look_again) {
  {
    base::MutexLock lock(mutex_);
    look_again_ = std::move(look_again);
  }
  crash::WatchdogOptions options;
  options.scheduling_thread = gettid();
  options.bindings = [&daemon]() -> crash::WatchdogOptions::Bindings {
    const auto progress = daemon.binding_progress();
    return {progress.begun, progress.waiting};
  };
  watchdog_ = std::make_unique<crash::Watchdog>(std::move(options));
  back_off_end_ = std::make_unique<quarantine::BackOffEnd>(quarantine_, [this] { LookAgain(); });
}

assembly::ReadQuarantine QuarantineOfParent(const options::SchedulerOptions& options) {
  const quarantine::Quarantine quarantine(crash::StateDir::PathOf(crash::File::kQuarantine, options.state_dir,
                                                                  std::getenv(crash::StateDir::kEnvironment),
                                                                  std::to_string(getppid())));
  return ReaderOf(quarantine);
}

}  // namespace berth
