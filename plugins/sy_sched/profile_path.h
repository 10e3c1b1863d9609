// Which SeccompProfile a path in a pod's security context means: localhost/operator/<namespace>/<name>.json, as the
// Security Profiles Operator writes it. Pure; thread: any.
// Source: parseNameNS of pkg/sysched/sysched.go of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <string_view>

namespace plugins::sy_sched {

struct ProfilePath {
  std::string_view ns, name;  // of the path's text

  bool empty() const { return ns.empty() || name.empty(); }

  // Empty: the path means no SeccompProfile.
  static ProfilePath Of(std::string_view path) {
    const size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) return {};
    const std::string_view folder = path.substr(0, slash), file = path.substr(slash + 1);
    return {folder.substr(folder.rfind('/') + 1), file.substr(0, file.rfind('.'))};
  }
};

}  // namespace plugins::sy_sched
