// The answer of GET /admin/v1/plugins. Thread: any; a pure function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace berth::serve {

struct PluginEntry {
  std::string name;     // "NodeResourcesFit"
  std::string library;  // path of its file
  std::string version;  // of the library, from its note
  std::string digest;   // "sha256:..." of the library
  uint64_t generation;  // of the policy since which this library's plugin has been used
  std::string state;    // "active", or "quarantined": the host stopped calling it after failures or a crash
};

// {"apiVersion":"berth.dev/v1alpha1","kind":"PluginList","plugins":[...]} and a newline. Each plugin is an object with
// the members above.
std::string PluginListJson(const std::vector<PluginEntry>& plugins);

}  // namespace berth::serve
