// Looks up a command as a shell does. Thread: any.
#pragma once

#include <string>

namespace berth::os {

// The path of an executable file: command itself when it contains a slash, else the first file of that name in the
// absolute directories of search_path (PATH). "" when there is none.
std::string FindExecutable(const std::string& command, const std::string& search_path);

}  // namespace berth::os
