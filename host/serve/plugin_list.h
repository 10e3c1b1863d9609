// The answer of GET /admin/v1/plugins. Thread: any; a pure function.
#pragma once

#include <string>
#include <vector>

namespace berth::serve {

struct PluginEntry {
  std::string name;     // "NodeResourcesFit"
  std::string library;  // path of its file
  std::string version;  // of the library, as its note says
  std::string digest;   // "sha256:..." of the library
  std::string state;    // "active"
};

// {"apiVersion":"berth.dev/v1alpha1","kind":"PluginList","plugins":[...]} and a line break; each plugin an object with
// the five members above.
std::string PluginListJson(const std::vector<PluginEntry>& plugins);

}  // namespace berth::serve
