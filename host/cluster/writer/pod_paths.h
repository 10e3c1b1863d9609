// The paths of pods on the API server. Thread: any.
#pragma once

#include <string>
#include <string_view>

namespace berth::writer {

// "/api/v1/namespaces/NS/pods/NAME", with "/SUBRESOURCE" if given. Names of pods and namespaces are DNS names, which
// need no escaping.
inline std::string PodPath(std::string_view ns, std::string_view name, std::string_view subresource = {}) {
  std::string path = "/api/v1/namespaces/";
  path.append(ns).append("/pods/").append(name);
  if (!subresource.empty()) path.append("/").append(subresource);
  return path;
}

}  // namespace berth::writer
