// /statusz: since when the process runs, its version, and its endpoints. Source: k8s.io/apiserver/pkg/server/statusz.
// Thread: any.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cluster/serve/routes.h"

namespace berth::serve {

struct Status {
  int64_t start_unix_seconds = 0;
  std::string go_version;         // clients expect the field; Berth has none
  std::string binary_version;     // "1.36"
  std::string emulation_version;  // "1.36"; "": none
};

// paths: of the server, as Routes::ListedPaths; now_unix_seconds: the time. Both are called at each request.
Route StatuszRoute(Status status, std::function<std::vector<std::string>()> paths,
                   std::function<int64_t()> now_unix_seconds);

}  // namespace berth::serve
