// Shell patterns for Kubernetes names: `*` matches any sequence of characters, `?` any character, and other characters
// themselves. The pattern must match the whole name. Pure; allocates nothing. Thread: any.
#pragma once

#include <cstddef>
#include <string_view>

namespace plugins {

// After a mismatch, only the last `*` takes one more character, because extending an earlier one does not help. The
// work is therefore at most pattern length times name length.
inline bool GlobMatches(std::string_view pattern, std::string_view name) {
  size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace plugins
