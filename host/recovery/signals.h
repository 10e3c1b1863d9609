// Fatal signals: SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT. Inside a call into a plugin: record, and the program
// begins anew (departure.h). Elsewhere, or sent by another process: a record that says so, and the process dies as it
// would have.
// Install once, first thing after departure.h's Prepare and before any call into a plugin: every thread gets a stack of
// its own for handlers before its first call. Thread: main; the handlers on whichever thread it hits.
#pragma once

namespace berth::recovery {

void InstallSignalHandlers();
// A stack for the handlers of this thread, which has to be able to tell that it used up its own. Done for each thread
// before its first call into a plugin; more often does no harm.
void GiveThreadAHandlerStack();

}  // namespace berth::recovery
