// All that the host can learn of a plugin file without running it: digest, ELF facts, note, and the rules that it
// breaks. Callers: the loader, and `berthctl plugin inspect|validate`. Thread: any; values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "berth/abi.h"
#include "plugin/loader/elf.h"
#include "plugin/loader/note.h"
#include "plugin/loader/rule.h"
#include "plugin/loader/trust.h"

namespace berth::loader {

struct Inspection {
  std::string path;
  uint64_t bytes = 0;
  std::string sha256;        // empty when the file could not be read
  ElfFacts elf;              // of an ELF file
  std::optional<Note> note;  // of a library whose note is valid and has this ABI major
  std::vector<Finding> findings;

  bool usable() const { return FirstError(findings) == nullptr; }
  // "<path>: BP-7: ..." of the first error; "" when usable.
  std::string Refusal() const;
};

// Inspects the bytes of the file at path. host_minor: the ABI minor of the host that would load it.
Inspection InspectBytes(std::string path, std::span<const std::byte> bytes, uint32_t host_minor = BERTH_ABI_MINOR);

// Reads the file first, and applies the trust rules. Keeps nothing open.
Inspection InspectFile(std::string path, const TrustRules& trust = {}, uint32_t host_minor = BERTH_ABI_MINOR);

}  // namespace berth::loader
