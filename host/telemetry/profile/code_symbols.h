// From addresses of code to names of functions: the symbol tables of the program and of the plugins, and for other
// libraries the functions that they export. The tables are read when they are needed and dropped with the object.
// Thread: one.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "telemetry/profile/symbol_table.h"

namespace berth::profile {

class Symbols {
 public:
  // "berth::engine::Engine::Step()"; "" if unknown.
  std::string NameOf(uint64_t address);
  // The same with the distance from the start of the function: "main+0x1c"; or the file and the offset in it:
  // "libc.so.6+0x29d90"; or "" if no code is there.
  std::string PlaceOf(uint64_t address);

 private:
  struct Found {
    std::string name;  // "" if unknown
    uint64_t distance = 0;
    std::string file;  // "" if no code is there
    uint64_t offset = 0;
  };
  Found Find(uint64_t address);

  std::map<std::string, SymbolTable> tables_;  // by file
};

}  // namespace berth::profile
