#include "telemetry/profile/symbol_table.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>

namespace berth::profile {
namespace {

constexpr uint64_t kLargestTable = uint64_t{256} << 20;  // of symbols, or of their names; in bytes

}  // namespace

// Reads only the requested parts: a program with debug information is many times as large as its symbol table.
class SymbolTable::File {
 public:
  explicit File(const std::string& path) : in_(path, std::ios::binary | std::ios::ate) {
    if (in_) size_ = static_cast<uint64_t>(in_.tellg());
  }

  // The object at that offset; nullopt: it is not inside the file.
  template <class T>
  std::optional<T> At(uint64_t offset) {
    T value;
    if (!Holds(offset, sizeof value) || !Fill(offset, reinterpret_cast<char*>(&value), sizeof value))
      return std::nullopt;
    return value;
  }

  // These bytes, as far as they are inside the file; "": they cannot be read, or are too many.
  std::string Range(uint64_t offset, uint64_t size) {
    if (offset > size_) return {};
    size = std::min(size, size_ - offset);
    if (size > kLargestTable) return {};
    std::string bytes(static_cast<size_t>(size), '\0');
    return Fill(offset, bytes.data(), bytes.size()) ? bytes : std::string();
  }

 private:
  bool Holds(uint64_t offset, uint64_t size) const { return offset <= size_ && size_ - offset >= size; }
  bool Fill(uint64_t offset, char* to, size_t size) {
    in_.seekg(static_cast<std::streamoff>(offset));
    return static_cast<bool>(in_.read(to, static_cast<std::streamsize>(size)));
  }

  std::ifstream in_;
  uint64_t size_ = 0;
};

namespace {

template <class File>
std::optional<ElfW(Shdr)> SectionAt(File& file, const ElfW(Ehdr) & header, uint64_t index) {
  if (index >= header.e_shnum) return std::nullopt;
  return file.template At<ElfW(Shdr)>(header.e_shoff + index * sizeof(ElfW(Shdr)));
}

template <class File>
std::optional<ElfW(Shdr)> SectionOf(File& file, const ElfW(Ehdr) & header, uint32_t type) {
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto section = SectionAt(file, header, i);
    if (section && section->sh_type == type) return section;
  }
  return std::nullopt;
}

// The lowest address of the image, to which dladdr's base is relative.
template <class File>
uint64_t ImageBegin(File& file, const ElfW(Ehdr) & header) {
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = file.template At<ElfW(Phdr)>(header.e_phoff + i * sizeof(ElfW(Phdr)));
    if (segment && segment->p_type == PT_LOAD) return segment->p_vaddr & ~uint64_t{0xfff};
  }
  return 0;
}

}  // namespace

SymbolTable::SymbolTable(const std::string& path) {
  File file(path);
  const auto header = file.At<ElfW(Ehdr)>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shentsize != sizeof(ElfW(Shdr)))
    return;
  auto table = SectionOf(file, *header, SHT_SYMTAB);
  if (!table) table = SectionOf(file, *header, SHT_DYNSYM);
  if (!table) return;
  const auto names = SectionAt(file, *header, table->sh_link);
  if (!names) return;
  names_ = file.Range(names->sh_offset, names->sh_size);
  Read(file.Range(table->sh_offset, table->sh_size), ImageBegin(file, *header));
}

void SymbolTable::Read(const std::string& symbols, uint64_t image_begin) {
  for (size_t at = 0; symbols.size() - at >= sizeof(ElfW(Sym)); at += sizeof(ElfW(Sym))) {
    ElfW(Sym) symbol;
    std::memcpy(&symbol, symbols.data() + at, sizeof symbol);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF || symbol.st_value < image_begin)
      continue;
    const uint64_t begin = symbol.st_value - image_begin;
    entries_.push_back({begin, begin + std::max<uint64_t>(symbol.st_size, 1), symbol.st_name});
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
}

const SymbolTable::Entry* SymbolTable::Find(uint64_t offset) const {
  auto after = std::upper_bound(entries_.begin(), entries_.end(), offset,
                                [](uint64_t wanted, const Entry& entry) { return wanted < entry.begin; });
  if (after == entries_.begin()) return nullptr;
  const Entry& entry = *std::prev(after);
  return offset < entry.end ? &entry : nullptr;
}

std::string SymbolTable::NameOf(const Entry& entry) const {
  return entry.name < names_.size() ? std::string(names_.c_str() + entry.name) : std::string();
}

}  // namespace berth::profile
