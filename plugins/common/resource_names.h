// The resources of a node that the scheduler counts in addition to cpu, memory, and ephemeral-storage. Source:
// pkg/scheduler/util/utils.go IsScalarResourceName, pkg/apis/core/v1/helper/helpers.go. Thread: any.
#pragma once

#include <algorithm>
#include <string_view>

namespace plugins {

inline bool IsQualifiedPart(std::string_view part, bool domain) {
  const auto is_alnum = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (!domain && c >= 'A' && c <= 'Z');
  };
  const auto is_inner = [&](char c) { return is_alnum(c) || c == '-' || c == '.' || (!domain && c == '_'); };
  if (part.empty() || part.size() > (domain ? 253u : 63u)) return false;
  if (!is_alnum(part.front()) || !is_alnum(part.back()) || !std::all_of(part.begin(), part.end(), is_inner))
    return false;
  if (!domain) return true;
  for (size_t dot = part.find('.'); dot != std::string_view::npos; dot = part.find('.', dot + 1)) {
    if (!is_alnum(part[dot - 1]) || !is_alnum(part[dot + 1])) return false;
  }
  return true;
}

// A name whose domain is not one of Kubernetes.
inline bool IsExtendedResourceName(std::string_view name) {
  constexpr std::string_view kQuota = "requests.";
  const size_t slash = name.find('/');
  if (slash == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos) return false;
  if (name.starts_with(kQuota) || name.find('/', slash + 1) != std::string_view::npos) return false;
  // Upstream checks whether the quota's name for it, "requests." plus the name, is a qualified name.
  return slash > 0 && slash + kQuota.size() <= 253 && IsQualifiedPart(name.substr(0, slash), true) &&
         IsQualifiedPart(name.substr(slash + 1), false);
}

inline bool IsScalarResourceName(std::string_view name) {
  return IsExtendedResourceName(name) || name.starts_with("hugepages-") ||
         name.find("kubernetes.io/") != std::string_view::npos || name.starts_with("attachable-volumes-");
}

}  // namespace plugins
