// The note in a plugin library: each text must be refused, or contain what the loader uses later.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "plugin/loader/note.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace loader = berth::loader;
  const auto note = loader::ParseNote({reinterpret_cast<const char*>(data), size}, 0);
  if (!note) {
    if (note.error().text.empty()) std::abort();  // refused without a reason
    return 0;
  }
  if (note->plugins.empty() || note->plugins.size() > loader::kMostPlugins) std::abort();
  for (const loader::NotedPlugin& plugin : note->plugins) {
    if (note->Find(plugin.name) != &plugin) std::abort();  // two plugins have the same name
  }
  return 0;
}
