// Bounds-checked access to the bytes of an ELF file, for the readers of its tables. Part of elf.h's implementation.
// The first access outside the file becomes a fault, and every later access returns zeros, so that readers check once,
// at the end. Thread: as a local variable.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "plugin/loader/rule.h"

namespace berth::loader {

class ElfImage {
 public:
  // Checks the file header and reads the program headers and the dynamic section.
  static tl::expected<ElfImage, Finding> Open(std::span<const std::byte> bytes);

  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  std::span<const std::byte> FileBytes(const Elf64_Phdr& segment) const;

  // The last value of a tag in the dynamic section, and all of them.
  std::optional<uint64_t> Dynamic(int64_t tag) const;
  std::vector<uint64_t> AllDynamic(int64_t tag) const;

  // A value at an address of the image as it would be mapped. what names it in the fault: "the symbol table".
  template <class T>
  T Load(uint64_t address, const char* what) {
    T value{};
    const std::optional<uint64_t> offset = OffsetOf(address, sizeof(T));
    if (!offset || !fault_.empty()) {
      Fail(what);
      return value;
    }
    std::memcpy(&value, bytes_.data() + *offset, sizeof(T));
    return value;
  }
  // A text of the dynamic string table.
  std::string Text(uint64_t index);

  bool broken() const { return !fault_.empty(); }
  Finding Fault() const { return {Rule::kComplete, fault_}; }
  void Fail(const char* what);

 private:
  explicit ElfImage(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::optional<Finding> CheckHeader();
  std::optional<Finding> ReadSegments();
  void ReadDynamic();
  std::optional<uint64_t> OffsetOf(uint64_t address, uint64_t length) const;
  template <class T>
  T At(uint64_t offset) const {  // offset was checked
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  std::span<const std::byte> bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Dyn> dynamic_;
  uint64_t text_budget_ = uint64_t{64} << 20;  // so that tables that point at one long text cannot exhaust the memory
  std::string fault_;
};

// Part two of ReadElf: the symbol table with its versions. Fills in exports, unique exports, imports and versions.
void ReadElfSymbols(ElfImage& image, struct ElfFacts& facts);

}  // namespace berth::loader
