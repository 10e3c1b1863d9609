// The threads of this process. Source: proc(5), /proc/self/task. Thread: any.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace berth::profile {

std::vector<pid_t> ThreadIds();  // in order
// The name, as base::NameThread sets it; "main" for the first thread, whose name is that of the process; "" for a
// thread that has ended.
std::string ThreadName(pid_t thread);

}  // namespace berth::profile
