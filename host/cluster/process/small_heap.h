// Settings of glibc's allocator. Thread: main, before any other.
#pragma once

namespace berth::process {

// An object of the API server is read by one thread and freed by another. glibc would give the threads eight heaps per
// CPU, each with gaps of its own, and put lists of objects, whose texts are megabytes, among what stays, so that memory
// would grow for hours. What is large goes back to the kernel at once.
void KeepHeapSmall();

}  // namespace berth::process
