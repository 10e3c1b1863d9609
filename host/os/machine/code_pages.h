// The code of the process that is in memory.
#pragma once

namespace berth::os {

// Unmaps the code and the constants of the program and of its shared libraries on disk, so that only the pages that run
// from now on count as resident. Most code that a start has run does not run again. Such code runs on as before: the
// kernel maps a page when something uses it, as a rule from the page cache. Breakpoints of a debugger in these pages
// are lost. Does not unmap pages that differ from their file. Thread: any; takes less than 1 ms.
void ReleaseCodePages();

}  // namespace berth::os
