// Libraries mapped into this process, each version once, until the process ends: unloading code is neither observable
// nor safe with glibc (thread-local destructors, unique symbols, keys, handlers), so nothing is ever closed. Thread:
// MapStaged with LoadMutex held, FindMapping and Mappings on any. Ownership: the process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "berth/entry.h"
#include "plugin/loader/rule.h"
#include "plugin/loader/staging.h"

namespace berth::loader {

using EntryFunction = const berth_entry* (*)(uint32_t host_minor);

struct Mapping {
  uint32_t generation = 0;  // 1, 2, ... in this process
  std::string path;         // the original file, for messages
  std::string sha256, build_id;
  std::vector<std::string> plugins;  // that the note names
  uint64_t bytes = 0;
  const void* base = nullptr;  // start of the image
  EntryFunction entry = nullptr;
};

// One load at a time in the whole process.
base::Mutex& LoadMutex();

// The mapping of exactly these bytes, nullptr when there is none.
const Mapping* FindMapping(const std::string& sha256);
std::vector<const Mapping*> Mappings();  // by generation

// Opens the staged copy with RTLD_NOW, RTLD_LOCAL, RTLD_NODELETE; its constructors run here. Verifies that the image is
// new and comes from the file. wanted: path, sha256, build_id and bytes are set. Fails with BP-40 (the linker refuses;
// nothing stays mapped) or BP-41 (the image stays mapped). A constructor that throws ends the process: glibc
// declares dlopen as not throwing; see rehearsal.h.
tl::expected<const Mapping*, Finding> MapStaged(Staged staged, Mapping wanted) REQUIRES(LoadMutex());

}  // namespace berth::loader
