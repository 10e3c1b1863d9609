#include <algorithm>
#include <unordered_map>

#include "plugin/loader/elf.h"
#include "plugin/loader/elf_image.h"

namespace berth::loader {
namespace {

constexpr const char* kSymbols = "the symbol table";
constexpr const char* kHash = "the symbol hash table";
constexpr const char* kVersionTable = "the version table";
constexpr uint16_t kVersionNumber = 0x7fff;  // the top bit says "hidden"

// Only the old hash table has the number of symbols. The new one ends with the last symbol that it can find, and a
// library that exports nothing has none; then the symbol table ends at the string table, which every linker puts next
// to it.
uint64_t CountByGnuHash(ElfImage& image, uint64_t table) {
  const auto buckets = image.Load<uint32_t>(table, kHash);
  const auto first = image.Load<uint32_t>(table + 4, kHash);
  const auto bloom_words = image.Load<uint32_t>(table + 8, kHash);
  const uint64_t bucket_table = table + 16 + uint64_t{bloom_words} * 8;
  const uint64_t chains = bucket_table + uint64_t{buckets} * 4;
  uint64_t last = 0;
  for (uint64_t i = 0; i < buckets && !image.broken(); ++i) {
    last = std::max<uint64_t>(last, image.Load<uint32_t>(bucket_table + i * 4, kHash));
  }
  if (last < first || last == 0) return 0;
  while (!image.broken() && (image.Load<uint32_t>(chains + (last - first) * 4, kHash) & 1) == 0) ++last;
  return last + 1;
}

uint64_t CountSymbols(ElfImage& image, uint64_t symbols) {
  if (const auto hash = image.Dynamic(DT_HASH)) return image.Load<uint32_t>(*hash + 4, kHash);
  uint64_t count = 0;
  if (const auto hash = image.Dynamic(DT_GNU_HASH)) count = CountByGnuHash(image, *hash);
  const uint64_t texts = image.Dynamic(DT_STRTAB).value_or(0);
  if (count == 0 && texts > symbols) count = (texts - symbols) / sizeof(Elf64_Sym);
  return count;
}

// Version numbers of the symbol table -> the version's name.
using VersionNames = std::unordered_map<uint16_t, std::string>;

void ReadVersionNeeds(ElfImage& image, ElfFacts& facts, VersionNames& names) {
  uint64_t at = image.Dynamic(DT_VERNEED).value_or(0);
  const uint64_t libraries = image.Dynamic(DT_VERNEEDNUM).value_or(0);
  for (uint64_t i = 0; at != 0 && i < libraries && !image.broken(); ++i) {
    const auto need = image.Load<Elf64_Verneed>(at, kVersionTable);
    const std::string library = image.Text(need.vn_file);
    uint64_t aux_at = at + need.vn_aux;
    // The most that version numbers allow: entries of a hostile image can overlap.
    for (uint32_t j = 0; j < need.vn_cnt && facts.version_needs.size() < kVersionNumber && !image.broken(); ++j) {
      const auto aux = image.Load<Elf64_Vernaux>(aux_at, kVersionTable);
      const std::string version = image.Text(aux.vna_name);
      names[aux.vna_other & kVersionNumber] = version;
      facts.version_needs.push_back({library, version});
      if (aux.vna_next == 0) break;
      aux_at += aux.vna_next;
    }
    if (need.vn_next == 0) break;
    at += need.vn_next;
  }
}

void ReadVersionDefinitions(ElfImage& image, ElfFacts& facts) {
  uint64_t at = image.Dynamic(DT_VERDEF).value_or(0);
  const uint64_t count = image.Dynamic(DT_VERDEFNUM).value_or(0);
  for (uint64_t i = 0; at != 0 && i < count && !image.broken(); ++i) {
    const auto definition = image.Load<Elf64_Verdef>(at, kVersionTable);
    const auto aux = image.Load<Elf64_Verdaux>(at + definition.vd_aux, kVersionTable);
    const std::string name = image.Text(aux.vda_name);
    if ((definition.vd_flags & VER_FLG_BASE) == 0) facts.version_definitions.push_back(name);
    if (definition.vd_next == 0) break;
    at += definition.vd_next;
  }
}

// For each version that a library defines, the linker adds a symbol with the name of the version.
bool IsVersionNode(const Elf64_Sym& symbol, const std::string& name, const ElfFacts& facts) {
  return symbol.st_shndx == SHN_ABS && std::find(facts.version_definitions.begin(), facts.version_definitions.end(),
                                                 name) != facts.version_definitions.end();
}

void SortIn(const Elf64_Sym& symbol, std::string name, const std::string& version, ElfFacts& facts) {
  const unsigned binding = ELF64_ST_BIND(symbol.st_info), visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  if (binding == STB_LOCAL || name.empty()) return;
  if (symbol.st_shndx == SHN_UNDEF) {
    facts.imports.push_back({std::move(name), version, binding == STB_WEAK});
  } else if (visibility == STV_DEFAULT || visibility == STV_PROTECTED) {
    if (IsVersionNode(symbol, name, facts)) return;
    (binding == STB_GNU_UNIQUE ? facts.unique_exports : facts.exports).push_back(std::move(name));
  }
}

}  // namespace

void ReadElfSymbols(ElfImage& image, ElfFacts& facts) {
  VersionNames names;
  ReadVersionNeeds(image, facts, names);
  ReadVersionDefinitions(image, facts);
  const std::optional<uint64_t> symbols = image.Dynamic(DT_SYMTAB), versions = image.Dynamic(DT_VERSYM);
  if (!symbols) return;
  const uint64_t count = CountSymbols(image, *symbols);
  for (uint64_t i = 1; i < count && !image.broken(); ++i) {
    const auto symbol = image.Load<Elf64_Sym>(*symbols + i * sizeof(Elf64_Sym), kSymbols);
    const uint16_t number = versions ? image.Load<uint16_t>(*versions + i * 2, kVersionTable) & kVersionNumber : 0;
    const auto version = names.find(number);
    SortIn(symbol, image.Text(symbol.st_name), version == names.end() ? std::string() : version->second, facts);
  }
  std::sort(facts.exports.begin(), facts.exports.end());
  std::sort(facts.unique_exports.begin(), facts.unique_exports.end());
}

}  // namespace berth::loader
