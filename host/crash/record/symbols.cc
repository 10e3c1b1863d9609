#include "crash/record/symbols.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "crash/record/state_dir.h"

namespace berth::crash {
namespace {

// The i-th T of a table at this offset of the file; false: the file is shorter.
template <class T>
bool At(std::string_view file, uint64_t offset, uint64_t i, T& out) {
  if (offset > file.size() || i >= (file.size() - offset) / sizeof(T)) return false;
  memcpy(&out, file.data() + offset + i * sizeof(T), sizeof(T));
  return true;
}

std::string_view NameIn(std::string_view file, const Elf64_Shdr& names, uint32_t at) {
  if (names.sh_offset > file.size() || names.sh_size > file.size() - names.sh_offset || at >= names.sh_size) return {};
  const std::string_view table = file.substr(names.sh_offset, names.sh_size);
  return table.substr(at, table.find('\0', at) - at);
}

std::string Readable(const std::string& name) {
  int status = -1;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         std::free);
  return status == 0 ? text.get() : name;
}

}  // namespace

// Both tables: every library has the one of the dynamic linker, and libraries that are not stripped have the other.
Symbols::Table Symbols::Read(const std::string& path) {
  Table table;
  const std::string file = ReadText(path);
  Elf64_Ehdr head;
  if (!At(file, 0, 0, head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return table;
  Elf64_Shdr section, names;
  for (uint64_t i = 0; i < head.e_shnum && At(file, head.e_shoff, i, section); ++i) {
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
    if (!At(file, head.e_shoff, section.sh_link, names)) continue;
    Elf64_Sym symbol;
    for (uint64_t s = 0; s < section.sh_size / sizeof symbol && At(file, section.sh_offset, s, symbol); ++s) {
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_value == 0) continue;
      table.push_back({symbol.st_value, symbol.st_size, std::string(NameIn(file, names, symbol.st_name))});
    }
  }
  std::sort(table.begin(), table.end(), [](const Function& a, const Function& b) { return a.begin < b.begin; });
  return table;
}

std::string Symbols::NameAt(const std::string& file, uint64_t offset) {
  auto known = tables_.find(file);
  if (known == tables_.end()) known = tables_.emplace(file, Read(file)).first;
  const Table& table = known->second;
  auto next = std::upper_bound(table.begin(), table.end(), offset,
                               [](uint64_t address, const Function& one) { return address < one.begin; });
  if (next == table.begin()) return {};
  const Function& function = *std::prev(next);
  if (offset - function.begin >= std::max<uint64_t>(function.size, 1)) return {};
  char text[32];
  std::snprintf(text, sizeof text, "+0x%llx", static_cast<unsigned long long>(offset - function.begin));
  return Readable(function.name) + text;
}

}  // namespace berth::crash
