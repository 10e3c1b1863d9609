// The handshake with a mapped library: whether this host can use its entry table, and whether its plugins are those of
// the note. Runs code of the library; no exception passes. Thread: [background] of berth/abi.h.
#pragma once

#include <vector>

#include "base/result.h"
#include "berth/entry.h"
#include "plugin/loader/mapping.h"
#include "plugin/loader/note.h"
#include "plugin/loader/rule.h"

namespace berth::loader {

struct Greeting {
  const berth_entry* entry = nullptr;
  std::vector<const berth_descriptor*> descriptors;  // in the order of the note's plugins
};

// Fails with BP-42 to BP-47. Creates no plugin.
tl::expected<Greeting, Finding> Greet(EntryFunction entry, const Note& note, uint32_t host_minor);

}  // namespace berth::loader
