// Shell-like patterns over Kubernetes names: `*` is any run of characters, `?` is any one character, everything else is
// itself. The whole name must match. Pure and allocation free. Thread: any.
#pragma once

#include <cstddef>
#include <string_view>

namespace plugins {

// At a mismatch only the last `*` can take one character more: an earlier one would gain nothing. So the work is at
// most pattern times name, whatever the pattern.
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
