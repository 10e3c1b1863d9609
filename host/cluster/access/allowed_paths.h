// --authorization-always-allow-paths: paths that need no authorization. A path matches exactly, or by its beginning if
// the rule ends in "*"; a leading "/" is optional. Source: k8s.io/apiserver pkg/authorization/path/path.go. Thread:
// any; immutable.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::access {

class AllowedPaths {
 public:
  static base::Result<AllowedPaths> Parse(const std::vector<std::string>& rules);
  // path: decoded.
  bool Allow(std::string_view path) const;

 private:
  std::set<std::string, std::less<>> paths_;  // without the leading "/"
  std::vector<std::string> prefixes_;
};

}  // namespace berth::access
