// The stack of the calling thread, available in signal handlers: addresses, and the file of each.
//
// Thread: PrepareStacks at the start of main; NoteModules on any thread, whenever libraries may have been mapped;
// TakeStack on any thread, in a handler. Ownership: tables of modules are kept for the life of the process, because a
// handler may read one.
#pragma once

#include "crash/record/crash_record.h"

namespace berth::crash {

// Loads the library that backtrace() loads at its first call, and notes the modules.
void PrepareStacks();
// Does nothing when no library has been mapped since the last call.
void NoteModules();
// Fills frames, n_frames and modules. from: leaves out the frames of the handler itself, down to this address; 0: none.
// Async-signal-safe after PrepareStacks.
void TakeStack(CrashRecord& record, uint64_t from = 0);

}  // namespace berth::crash
