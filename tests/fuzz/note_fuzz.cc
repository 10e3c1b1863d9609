// The note in a plugin library: whatever its text, it is refused or holds what the loader goes by afterwards.
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
    if (note->Find(plugin.name) != &plugin) std::abort();  // a name given twice
  }
  return 0;
}
