// Everything that can be known of a plugin file without running it: digest, ELF facts, note, and which rules it breaks.
// Called by the loader, and by `berthctl plugin inspect|validate`. Thread: any; values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "berth/abi.h"
#include "loader/elf.h"
#include "loader/note.h"
#include "loader/rule.h"
#include "loader/trust.h"

namespace berth::loader {

struct Inspection {
  std::string path;
  uint64_t bytes = 0;
  std::string sha256;        // empty when the file could not be read
  ElfFacts elf;              // of an ELF file
  std::optional<Note> note;  // of a library whose note is sound and of this ABI major
  std::vector<Finding> findings;

  bool usable() const { return FirstError(findings) == nullptr; }
  // "<path>: BP-7: ..." of the first error; "" when usable.
  std::string Refusal() const;
};

// The bytes of a file that goes by path. host_minor: the ABI minor of the host that would load it.
Inspection InspectBytes(std::string path, std::span<const std::byte> bytes, uint32_t host_minor = BERTH_ABI_MINOR);

// Reads the file first; with rules about who may change it. Keeps nothing open.
Inspection InspectFile(std::string path, const TrustRules& trust = {}, uint32_t host_minor = BERTH_ABI_MINOR);

}  // namespace berth::loader
