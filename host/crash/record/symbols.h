// Names of functions in ELF files by address, for stacks that were recorded by another process.
// Called at start, when there was a crash. Thread: one. Ownership: keeps the tables it has read.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace berth::crash {

class Symbols {
 public:
  // "filter+0x1b", demangled; "" when the file cannot be read or names no function there. offset: an address of the
  // file itself.
  std::string NameAt(const std::string& file, uint64_t offset);

 private:
  struct Function {
    uint64_t begin, size;
    std::string name;
  };
  using Table = std::vector<Function>;  // by begin
  static Table Read(const std::string& file);

  std::map<std::string, Table> tables_;
};

}  // namespace berth::crash
