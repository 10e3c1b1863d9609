// The system calls that the child process does without, refused by a filter (seccomp-bpf), which needs no privilege:
// those for the network, for changing files, for other processes and for starting programs. Thread: the child's only
// one; threads that it starts later are bound as well.
#pragma once

#include "base/result.h"

namespace berth::canary {

enum class Files { kReadOnly, kWritable };

// Cannot be taken back. kWritable: files may be opened for writing, made and removed. Needs PR_SET_NO_NEW_PRIVS. Fails
// where the kernel has no such filters, and on processors whose numbers of system calls are not known here.
base::Result<void> FilterSystemCalls(Files files);

}  // namespace berth::canary
