// The code of the process that is in memory.
#pragma once

namespace berth::os {

// Drops the resident pages of code and constants of the program and of its shared libraries on disk, so that only those
// that are used from now on count as resident. Most code that a start has run does not run again. The kernel maps a
// page again when something uses it: from the page cache, or from the disk if memory was short since. Pages that the
// process or a tracer has written to, such as those with a breakpoint, stay. Where /proc/self/pagemap cannot be read,
// does nothing. Thread: any; takes about 1 ms.
void ReleaseCodePages();

}  // namespace berth::os
