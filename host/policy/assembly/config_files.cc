#include "policy/assembly/config_files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "os/file/path_walker.h"

namespace berth::assembly {
namespace {

constexpr int kMostVersions = 5;  // of a volume that changes while it is read

// Kubernetes changes all files of a volume at once, by giving its link ..data another target. This class reads each
// such link once, and keeps its target.
class OneVersion final : public os::PathListener {
 public:
  void Follows(const std::string& link, std::string& target) override {
    if (!link.ends_with("/..data")) return;
    target = targets_.try_emplace(link, target).first->second;
    passed_ = true;
  }
  // Returns where the content is: below the first target of ..data, or else at the path itself. The error is errno.
  tl::expected<std::string, int> Find(const std::string& path) {
    passed_ = false;
    const os::PathEnd end = os::WalkPath(std::filesystem::absolute(path).string(), this);
    if (!passed_) return path;  // a link of a descriptor, for example, leads to no path
    if (end.error != 0) return tl::unexpected(end.error);
    return end.resolved;
  }
  // The kubelet removes the old directory after it has changed the target of ..data.
  bool MayBeOutdated() const { return !targets_.empty(); }

 private:
  std::map<std::string, std::string> targets_;
  bool passed_ = false;
};

base::Result<std::string> ReadText(const std::string& path, OneVersion& version) {
  const auto found = version.Find(path);
  if (!found) return base::Fail(path + ": cannot be read: " + std::strerror(found.error()));
  if (std::filesystem::is_directory(*found)) return base::Fail(path + ": is a directory");
  std::ifstream in(*found, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf() || in.peek() == std::ifstream::traits_type::eof())) {
    return base::Fail(path + ": cannot be read: " + std::strerror(errno));
  }
  return text.str();
}

}  // namespace

base::Result<std::vector<config::Source>> ReadSources(const std::string& config_path,
                                                      const std::string& berth_config_path,
                                                      const std::function<void()>& before_read) {
  const auto read_all = [&](OneVersion& version) -> base::Result<std::vector<config::Source>> {
    std::vector<config::Source> sources;
    for (const std::string& path : {config_path, berth_config_path}) {
      if (path.empty()) continue;
      if (before_read) before_read();
      auto text = ReadText(path, version);
      if (!text) return tl::unexpected(text.error());
      sources.push_back({path, std::move(*text)});
    }
    return sources;
  };
  for (int versions = 1;; ++versions) {
    OneVersion version;
    auto sources = read_all(version);
    if (sources || !version.MayBeOutdated() || versions == kMostVersions) return sources;
  }
}

}  // namespace berth::assembly
