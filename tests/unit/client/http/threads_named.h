#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

namespace berth::http {

// How many threads of this process have this name. Thread: any.
inline size_t ThreadsNamed(const std::string& name) {
  size_t n = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream comm(task.path() / "comm");
    std::string text;
    n += std::getline(comm, text) && text == name ? 1 : 0;
  }
  return n;
}

}  // namespace berth::http
