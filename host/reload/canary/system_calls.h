// The system calls that a filter (seccomp-bpf), which needs no privilege, refuses to the child process: those for the
// network, for changing files, for other processes and for starting programs. Thread: the child's only one; the filter
// also applies to threads that it starts later.
#pragma once

#include "base/result.h"

namespace berth::canary {

enum class Files { kReadOnly, kWritable };

// Cannot be undone. kWritable: files may be opened for writing, created and removed. Needs PR_SET_NO_NEW_PRIVS. Fails
// if the kernel has no such filters, and on processors whose system call numbers are not in this file.
base::Result<void> FilterSystemCalls(Files files);

}  // namespace berth::canary
