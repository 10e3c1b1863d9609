#include "assembly/sources.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace berth::assembly {

base::Result<std::vector<config::Source>> ReadSources(const std::string& config_path,
                                                      const std::string& berth_config_path) {
  std::vector<config::Source> sources;
  for (const std::string& path : {config_path, berth_config_path}) {
    if (path.empty()) continue;
    if (std::filesystem::is_directory(path)) return base::Fail(path + ": is a directory");
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf() || in.peek() == std::ifstream::traits_type::eof())) {
      return base::Fail(path + ": cannot be read: " + std::strerror(errno));
    }
    sources.push_back({path, text.str()});
  }
  return sources;
}

}  // namespace berth::assembly
