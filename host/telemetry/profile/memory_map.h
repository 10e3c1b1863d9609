// Where code is in this process. Source: proc(5), /proc/self/maps. Thread: any.
#pragma once

#include <string>

namespace berth::profile {

// The text of /proc/self/maps, which go tool pprof reads to find the files of addresses.
std::string MemoryMap();

}  // namespace berth::profile
