// The answer of GET /admin/v1/plugins. Thread: any; a pure function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace berth::serve {

struct PluginEntry {
  std::string name;     // "NodeResourcesFit"
  std::string library;  // path of its file
  std::string version;  // of the library, as its note says
  std::string digest;   // "sha256:..." of the library
  uint64_t generation;  // of the policy, from which on this library's plugin has decided
  std::string state;    // "active", or "quarantined": it failed too often, or crashed, and is not asked any more
};

// {"apiVersion":"berth.dev/v1alpha1","kind":"PluginList","plugins":[...]} and a line break; each plugin an object with
// the members above.
std::string PluginListJson(const std::vector<PluginEntry>& plugins);

}  // namespace berth::serve
