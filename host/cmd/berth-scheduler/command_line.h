// The command line of this program, for processes that must interpret its flags in the same way. Thread: any.
#pragma once

#include <string>
#include <vector>

namespace berth {

// The program's name and all arguments.
std::vector<std::string> CommandLine();

}  // namespace berth
