// The facts of an ELF shared object, from its bytes: nothing is mapped, and no code runs. ReadElf reads what the
// dynamic linker uses (program headers and the dynamic section), not the section headers, which only tools use. It
// checks every offset, because the bytes can be hostile. Callers: inspection and tests. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "plugin/loader/rule.h"

namespace berth::loader {

struct ElfImport {
  std::string name;
  std::string version;  // "GLIBC_2.34", empty when it has none
  bool weak = false;
};

struct ElfVersionNeed {
  std::string library;  // "libc.so.6"
  std::string version;  // "GLIBC_2.34"
};

struct ElfNote {
  std::string name;  // without its NUL
  uint32_t type = 0;
  std::string desc;
};

struct ElfFacts {
  std::string soname;
  std::string run_path;                              // DT_RPATH or DT_RUNPATH
  std::vector<std::string> needed;                   // DT_NEEDED, in order
  std::vector<std::string> exports, unique_exports;  // sorted; unique: STB_GNU_UNIQUE
  std::vector<ElfImport> imports;                    // in the symbol table's order
  std::vector<ElfVersionNeed> version_needs;
  std::vector<std::string> version_definitions;
  std::vector<ElfNote> notes;
  std::string note_fault;  // why the rest of a note segment cannot be read; empty: it can
  std::string build_id;    // hex
  uint64_t tls_bytes = 0;
  bool text_relocations = false, static_tls = false, executable_stack = false, relro = false, bind_now = false;
};

// Fails with BP-5, BP-6 or BP-8.
tl::expected<ElfFacts, Finding> ReadElf(std::span<const std::byte> bytes);

// Appends the notes of one segment, in the file or mapped. align: the segment's p_align. Returns the error in the
// segment, or "".
std::string ReadNotes(std::span<const std::byte> segment, uint64_t align, std::vector<ElfNote>& notes);

// The build id in the notes as hex, "" when there is none.
std::string BuildIdOf(const std::vector<ElfNote>& notes);

}  // namespace berth::loader
