// The first words with a mapped library: is its entry table one this host can use, and are its plugins those of the
// note? Code of the library runs here; exceptions end here. Thread: [background] of berth/abi.h.
#pragma once

#include <vector>

#include "base/result.h"
#include "berth/entry.h"
#include "loader/mapping.h"
#include "loader/note.h"
#include "loader/rule.h"

namespace berth::loader {

struct Greeting {
  const berth_entry* entry = nullptr;
  std::vector<const berth_descriptor*> descriptors;  // in the order of the note's plugins
};

// Fails with BP-42 to BP-47. Creates no plugin.
tl::expected<Greeting, Finding> Greet(EntryFunction entry, const Note& note, uint32_t host_minor);

}  // namespace berth::loader
