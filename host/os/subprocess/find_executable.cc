#include "os/subprocess/find_executable.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace berth::os {

std::string FindExecutable(const std::string& command, const std::string& search_path) {
  const auto is_executable = [](const std::string& path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
  };
  if (command.find('/') != std::string::npos) return is_executable(command) ? command : "";
  for (size_t begin = 0; begin < search_path.size();) {
    const size_t end = std::min(search_path.find(':', begin), search_path.size());
    std::string path = search_path.substr(begin, end - begin) + "/" + command;
    // A relative directory depends on the working directory of the daemon; Go's os/exec refuses it too.
    if (path[0] == '/' && end > begin && is_executable(path)) return path;
    begin = end + 1;
  }
  return "";
}

}  // namespace berth::os
