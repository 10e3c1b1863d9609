// The end of this process by a plugin, and the beginning of the next: the record is written, and the program executes
// itself with the arguments and the environment that it had. Nothing in memory is trusted: from Claim on there are only
// system calls and memory that was set aside at start. Nothing jumps back into the code that was interrupted.
//
// Thread: Prepare first thing in main, while there is no other thread; the rest on any thread, in handlers of signals.
// Ownership: what is prepared is the process's.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>

#include "recovery/crash_record.h"
#include "recovery/place.h"

namespace berth::recovery {

struct DepartureOptions {
  bool restart = true;  // false: --no-self-restart: the record is written, then the process dies as it would have
  char** argv = nullptr;
};

// place is kept for the life of the process.
void Prepare(Place place, const DepartureOptions& options);

enum class Claim : uint8_t {
  kMine,    // this thread ends the process now
  kNested,  // it did already, and has failed again while it did
  kOthers,  // another thread does
};
Claim ClaimDeparture();
// As ClaimDeparture, when the end is not sure yet; GiveBack when it does not come.
void GiveBack();

// The record of whoever has the claim.
CrashRecord& RecordOfDeparture();
// Writes the record as it is, again and again as it grows.
void KeepRecord();

// Executes the program anew, at most kMostRestarts times in kRestartWindowSeconds; otherwise, and where that fails,
// dies. signal: what to die of.
[[noreturn]] void Depart(int signal);
// Dies of the signal, as if nobody had caught it.
[[noreturn]] void Die(int signal);

// What Die gives the signal back to; default: the system's action.
void SetActionBefore(int signal, const struct sigaction& action);

}  // namespace berth::recovery
