// Settings of glibc's allocator. Thread: main, before any other.
#pragma once

namespace berth::process {

// One thread decodes an object of the API server, and another frees it. By default, glibc uses eight heaps per CPU,
// each with its own gaps, and places lists of objects, which have megabytes of text, between long-lived blocks, so that
// memory grows for hours. With these settings, large blocks return to the kernel at once.
void KeepHeapSmall();

}  // namespace berth::process
