// The stack of the thread that asks, as a handler of signals can take it: addresses, and in which file each is.
//
// Thread: PrepareStacks first thing; NoteModules on any thread, whenever libraries may have been mapped; TakeStack on
// any thread, in a handler. Ownership: tables of modules are kept for the life of the process, for a
// handler may be reading one.
#pragma once

#include "recovery/crash_record.h"

namespace berth::recovery {

// Loads what backtrace() would load at its first call, and notes the modules.
void PrepareStacks();
// Nothing is done when no library has been mapped since.
void NoteModules();
// Where the code was that a handler with SA_SIGINFO has interrupted; context: its third argument. 0: not known here.
uint64_t InterruptedAt(const void* context);
// Fills frames, n_frames and modules. from: the frames of the handler itself, down to this address, are left out; 0:
// none are. Async-signal-safe once prepared.
void TakeStack(CrashRecord& record, uint64_t from = 0);

}  // namespace berth::recovery
