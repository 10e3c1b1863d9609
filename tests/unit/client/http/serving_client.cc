#include "serving_client.h"

#include <cstdint>
#include <cstdio>

namespace berth::http {

std::string ShellOutput(const std::string& command) {
  FILE* out = popen(("(" + command + ") 2>&1 </dev/null").c_str(), "r");
  std::string text;
  char piece[4096];
  while (const size_t n = fread(piece, 1, sizeof(piece), out)) text.append(piece, n);
  pclose(out);
  return text;
}

std::string PythonClient(uint16_t port, const std::vector<std::string>& arguments) {
  std::string command = "python3 '" BERTH_SERVING_CLIENT "' " + std::to_string(port);
  for (const std::string& argument : arguments) command += " '" + argument + "'";
  std::string line = ShellOutput(command);
  if (line.ends_with('\n')) line.pop_back();
  return line;
}

}  // namespace berth::http
