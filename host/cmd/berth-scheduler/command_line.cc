#include "cmd/berth-scheduler/command_line.h"

#include <fstream>

namespace berth {

std::vector<std::string> CommandLine() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(std::move(argument));
  return arguments;
}

}  // namespace berth
