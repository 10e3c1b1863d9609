// How this program was called, for processes that are to understand its flags as it did. Thread: any.
#pragma once

#include <string>
#include <vector>

namespace berth {

// The program's name and all arguments.
std::vector<std::string> CommandLine();

}  // namespace berth
