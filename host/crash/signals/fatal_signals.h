// Handles the fatal signals SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT. Inside a call into a plugin: writes a record
// and re-executes the program (reexec.h). Elsewhere, or for a signal from another process: writes a record that says
// so, and the process ends with the default action. Call Install once, directly after Prepare of reexec.h and before
// any call into a plugin: every thread gets its own stack for handlers before its first call. Thread: main; the
// handlers run on the thread that gets the signal.
#pragma once

namespace berth::crash {

void InstallSignalHandlers();
// Gives this thread a stack for handlers, which can report that the thread's own stack overflowed. Called for each
// thread before its first call into a plugin; further calls have no effect.
void GiveThreadAHandlerStack();

}  // namespace berth::crash
