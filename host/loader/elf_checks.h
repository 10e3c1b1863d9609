// What a plugin library's ELF image must and must not have, rule by rule (BP-7 to BP-21, BP-28). Pure: facts in,
// findings out. Called by inspection, on any thread.
#pragma once

#include <vector>

#include "loader/elf.h"
#include "loader/host_libraries.h"
#include "loader/rule.h"

namespace berth::loader {

// sanitized: the host is a sanitizer build, so that the sanitizer's runtime may be needed and imported from.
// rust: the note says that the library was built with Rust.
void CheckElf(const ElfFacts& elf, const HostLibraries& host, bool sanitized, bool rust,
              std::vector<Finding>& findings);

}  // namespace berth::loader
