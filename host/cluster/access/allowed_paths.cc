#include "cluster/access/allowed_paths.h"

#include <algorithm>

#include "base/text.h"

namespace berth::access {
namespace {

std::string_view WithoutSlash(std::string_view path) { return path.starts_with('/') ? path.substr(1) : path; }

}  // namespace

base::Result<AllowedPaths> AllowedPaths::Parse(const std::vector<std::string>& rules) {
  AllowedPaths out;
  for (const std::string& rule : rules) {
    const std::string path(WithoutSlash(rule));
    const size_t star = path.find('*');
    if (star == std::string::npos) {
      out.paths_.insert(path);
    } else if (star + 1 == path.size()) {
      out.prefixes_.push_back(path.substr(0, star));
    } else {
      return base::Fail("only trailing * allowed in " + base::Quoted(path));
    }
  }
  return out;
}

bool AllowedPaths::Allow(std::string_view path) const {
  const std::string_view bare = WithoutSlash(path);
  if (paths_.contains(bare)) return true;
  return std::any_of(prefixes_.begin(), prefixes_.end(),
                     [&](const std::string& prefix) { return bare.starts_with(prefix); });
}

}  // namespace berth::access
