// The threads of cpprestsdk's pool, which all transports and listeners share. Everything of theirs that calls back does
// so on these; none may be blocked for long, and no destructor of a transport or listener may run on one.
//
// How to end: destroy listeners, then transports, flush logs, then _exit. The pool cannot be stopped by itself, and
// returning from main would race it against the destructors of static objects.
#pragma once

namespace berth::http {

// How many there are, at least 1. First thing in main, before any transport or listener: the first call, or the first
// transport, settles it (40 if nobody asked), and later calls change nothing.
void InitializeThreads(unsigned n);

}  // namespace berth::http
