// Where pods live on the API server. Thread: any.
#pragma once

#include <string>
#include <string_view>

namespace berth::dispatch {

// "/api/v1/namespaces/NS/pods/NAME", with "/SUBRESOURCE" when there is one. Names of pods and namespaces are DNS names,
// so that nothing in them needs escaping.
inline std::string PodPath(std::string_view ns, std::string_view name, std::string_view subresource = {}) {
  std::string path = "/api/v1/namespaces/";
  path.append(ns).append("/pods/").append(name);
  if (!subresource.empty()) path.append("/").append(subresource);
  return path;
}

}  // namespace berth::dispatch
