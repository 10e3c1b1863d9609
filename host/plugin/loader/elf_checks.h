// The rules for the ELF image of a plugin library (BP-7 to BP-21, BP-28). Pure functions of the facts.
// Caller: inspection. Thread: any.
#pragma once

#include <vector>

#include "plugin/loader/elf.h"
#include "plugin/loader/host_libraries.h"
#include "plugin/loader/rule.h"

namespace berth::loader {

// sanitized: the host is a sanitizer build, so the library may need the runtime of the sanitizer and import from it.
// rust: the note says that the library was built with Rust.
void CheckElf(const ElfFacts& elf, const HostLibraries& host, bool sanitized, bool rust,
              std::vector<Finding>& findings);

}  // namespace berth::loader
