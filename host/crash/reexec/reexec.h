// Ends this process after a crash in a plugin and starts the next one: the record is written, and the program executes
// itself with its original arguments and environment. The memory may be corrupt: from Claim on there are only system
// calls and memory that was reserved at start. Control never returns to the interrupted code.
// Thread: Prepare at the start of main, before other threads exist; the rest on any thread, in signal handlers.
// Ownership: the process owns the prepared data.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "crash/record/crash_record.h"
#include "crash/record/state_dir.h"

namespace berth::crash {

struct ReexecOptions {
  bool restart = true;  // false: --no-self-restart: the record is written, and the process ends with the default action
  char** argv = nullptr;
};

// The process keeps place until its end.
void Prepare(StateDir place, const ReexecOptions& options);

// A variable that Depart adds to the environment of the next program, as long as the CLOCK_BOOTTIME in until_boot_ns is
// in the future; otherwise it removes an inherited one. One at a time, after Prepare. Ownership: until_boot_ns must
// outlive the offer. Thread: any.
class OfferedVariable {
 public:
  OfferedVariable(std::string_view name, std::string_view value, const std::atomic<int64_t>& until_boot_ns);
  ~OfferedVariable();
  OfferedVariable(const OfferedVariable&) = delete;
  OfferedVariable& operator=(const OfferedVariable&) = delete;

  // For Depart; async-signal-safe. Changes environment in place; it has room for one more entry.
  void ApplyTo(char** environment) const;

 private:
  mutable std::string entry_;  // "NAME=value"; execve takes it as char*
  const size_t prefix_;        // length of "NAME="
  const std::atomic<int64_t>& until_boot_ns_;
};

enum class Claim : uint8_t {
  kMine,    // this thread ends the process now
  kNested,  // this thread already ends it, and has crashed again
  kOthers,  // another thread ends it
};
Claim ClaimReexec();
// Releases the claim, when the process continues after all.
void GiveBack();

// The record of the thread with the claim.
CrashRecord& RecordOfReexec();
// Writes the record; called again as it grows.
void KeepRecord();

// Executes the program again, at most kMostRestarts times in kRestartWindowSeconds; otherwise, or when exec fails, ends
// the process with the signal.
[[noreturn]] void Depart(int signal);
// Ends the process with the signal's default action, as without a handler.
[[noreturn]] void Die(int signal);

// What Die gives the signal back to; default: the system's action.
void SetActionBefore(int signal, const struct sigaction& action);

}  // namespace berth::crash
