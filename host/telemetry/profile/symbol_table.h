// The functions of an ELF file of this machine, from its .symtab section, or .dynsym if it has no other. Source:
// elf(5). Thread: any, after construction. A file that cannot be read, or is not a valid ELF file, has no functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace berth::profile {

class SymbolTable {
 public:
  struct Entry {
    uint64_t begin, end;  // relative to the start of the image
    uint32_t name;
  };
  explicit SymbolTable(const std::string& path);

  const Entry* Find(uint64_t offset) const;  // nullptr: none
  std::string NameOf(const Entry& entry) const;

 private:
  class File;
  void Read(const std::string& symbols, uint64_t image_begin);

  std::vector<Entry> entries_;  // by begin
  std::string names_;
};

}  // namespace berth::profile
