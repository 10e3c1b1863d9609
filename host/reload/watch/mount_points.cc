#include "reload/watch/mount_points.h"

#include <cerrno>
#include <fstream>

#include "base/read_all.h"
#include "os/fd/file_descriptor.h"

namespace berth::reload {
namespace {

constexpr const char* kMountInfo = "/proc/self/mountinfo";
constexpr int kMountPointField = 4;  // counted from 0

bool IsOctal(char c) { return c >= '0' && c <= '7'; }

// The kernel writes blank, tab, line break and backslash as \ooo.
std::string Unescaped(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '\\' && i + 3 < text.size() && IsOctal(text[i + 1]) && IsOctal(text[i + 2]) && IsOctal(text[i + 3]);
    if (!escape) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>((text[i + 1] - '0') << 6 | (text[i + 2] - '0') << 3 | (text[i + 3] - '0'));
    i += 3;
  }
  return plain;
}

// Empty if the line has fewer fields.
std::string_view Field(std::string_view line, int index) {
  for (; index > 0; --index) {
    const size_t blank = line.find(' ');
    if (blank == line.npos) return {};
    line.remove_prefix(blank + 1);
  }
  return line.substr(0, line.find(' '));
}

void Warn(const FileState& file, const std::set<std::string>& mount_points, std::vector<std::string>& warnings) {
  if (!file.error.empty() || !mount_points.contains(file.resolved)) return;
  warnings.push_back(file.path + (file.path == file.resolved ? "" : " (" + file.resolved + ")") +
                     " is a mount point of its own (a subPath, or the hostPath of a single file): it is never updated "
                     "by Kubernetes and cannot be replaced, only be written in place; mount the directory that holds "
                     "it instead");
}

}  // namespace

std::set<std::string> ParseMountPoints(std::string_view mountinfo) {
  std::set<std::string> points;
  while (!mountinfo.empty()) {
    const std::string_view line = mountinfo.substr(0, mountinfo.find('\n'));
    mountinfo.remove_prefix(std::min(line.size() + 1, mountinfo.size()));
    const std::string_view point = Field(line, kMountPointField);
    if (!point.empty()) points.insert(Unescaped(point));
  }
  return points;
}

std::vector<std::string> MountPointWarnings(const Fingerprint& fingerprint, const std::set<std::string>& mount_points) {
  std::vector<std::string> warnings;
  for (const FileState& file : fingerprint.files) Warn(file, mount_points, warnings);
  for (const DirectoryState& directory : fingerprint.directories) {
    for (const FileState& library : directory.libraries) Warn(library, mount_points, warnings);
  }
  return warnings;
}

base::Result<std::string> ReadMountInfo() {
  std::ifstream file(kMountInfo, std::ios::binary);
  if (!file) return base::Fail(os::SystemText(kMountInfo, errno));
  return base::ReadAll(file);
}

}  // namespace berth::reload
