#include "os/machine/cgroup.h"

#include <fstream>

namespace berth::os {
namespace {

using Visit = std::function<void(const std::string& folder, CgroupVersion version)>;

void VisitUpwards(const std::string& mount, std::string group, CgroupVersion version, const Visit& visit) {
  while (true) {
    visit(mount + group, version);
    const size_t slash = group.find_last_of('/');
    if (group.empty() || slash == std::string::npos) return;
    group.resize(slash);
  }
}

// One line of /proc/self/cgroup: "0::/a/b" (v2) or "4:cpu,cpuacct:/a/b" (v1).
void VisitLine(const std::string& root, const std::string& controller, const std::string& line, const Visit& visit) {
  const size_t first = line.find(':');
  const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
  if (second == std::string::npos) return;
  const std::string controllers = line.substr(first + 1, second - first - 1);
  std::string group = line.substr(second + 1);
  if (group == "/") group.clear();
  const std::string mounts = root + "/sys/fs/cgroup";
  if (controllers.empty()) return VisitUpwards(mounts, group, CgroupVersion::kV2, visit);
  if (("," + controllers + ",").find("," + controller + ",") == std::string::npos) return;
  VisitUpwards(mounts + "/" + controllers, group, CgroupVersion::kV1, visit);
  if (controllers != controller) VisitUpwards(mounts + "/" + controller, group, CgroupVersion::kV1, visit);
}

}  // namespace

void VisitCgroups(const std::string& root, const std::string& controller, const Visit& visit) {
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) VisitLine(root, controller, line, visit);
}

}  // namespace berth::os
