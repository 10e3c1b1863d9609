#include "telemetry/profile/process_threads.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

namespace berth::profile {

std::vector<pid_t> ThreadIds() {
  std::vector<pid_t> ids;
  std::error_code error;
  for (auto at = std::filesystem::directory_iterator("/proc/self/task", error);
       !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    pid_t id = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), id).ec == std::errc()) ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::string ThreadName(pid_t thread) {
  if (thread == getpid()) return "main";
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

}  // namespace berth::profile
