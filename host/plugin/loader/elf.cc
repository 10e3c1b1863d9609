#include "plugin/loader/elf.h"

#include <algorithm>

#include "plugin/loader/elf_image.h"

namespace berth::loader {
namespace {

uint64_t AlignUp(uint64_t n, uint64_t align) { return (n + align - 1) / align * align; }

std::string Hex(std::string_view bytes) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += kHex[byte >> 4];
    text += kHex[byte & 15];
  }
  return text;
}

void ReadSegmentFacts(const ElfImage& image, ElfFacts& facts) {
  facts.executable_stack = true;  // the meaning of a missing PT_GNU_STACK for the dynamic linker
  for (const Elf64_Phdr& segment : image.segments()) {
    switch (segment.p_type) {
      case PT_GNU_STACK: facts.executable_stack = (segment.p_flags & PF_X) != 0; break;
      case PT_GNU_RELRO: facts.relro = true; break;
      case PT_TLS: facts.tls_bytes = segment.p_memsz; break;
      case PT_NOTE: {
        std::string fault = ReadNotes(image.FileBytes(segment), segment.p_align, facts.notes);
        if (facts.note_fault.empty()) facts.note_fault = std::move(fault);
        break;
      }
      default: break;
    }
  }
  facts.build_id = BuildIdOf(facts.notes);
}

// A variable at a fixed distance from the thread pointer. Linkers for AArch64 do not set DF_STATIC_TLS for it.
#if defined(__aarch64__)
constexpr uint32_t kThreadPointerOffset = R_AARCH64_TLS_TPREL;
#else
constexpr uint32_t kThreadPointerOffset = R_X86_64_TPOFF64;
#endif

bool UsesStaticTls(ElfImage& image, uint64_t flags) {
  if ((flags & DF_STATIC_TLS) != 0) return true;
  const uint64_t table = image.Dynamic(DT_RELA).value_or(0), size = image.Dynamic(DT_RELASZ).value_or(0);
  for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= size && !image.broken(); at += sizeof(Elf64_Rela)) {
    const auto relocation = image.Load<Elf64_Rela>(table + at, "the relocations");
    if (ELF64_R_TYPE(relocation.r_info) == kThreadPointerOffset) return true;
  }
  return false;
}

void ReadDynamicFacts(ElfImage& image, ElfFacts& facts) {
  const uint64_t flags = image.Dynamic(DT_FLAGS).value_or(0), flags_1 = image.Dynamic(DT_FLAGS_1).value_or(0);
  facts.text_relocations = image.Dynamic(DT_TEXTREL).has_value() || (flags & DF_TEXTREL) != 0;
  facts.static_tls = UsesStaticTls(image, flags);
  facts.bind_now = image.Dynamic(DT_BIND_NOW).has_value() || (flags & DF_BIND_NOW) != 0 || (flags_1 & DF_1_NOW) != 0;
  for (const uint64_t index : image.AllDynamic(DT_NEEDED)) facts.needed.push_back(image.Text(index));
  if (const auto index = image.Dynamic(DT_SONAME)) facts.soname = image.Text(*index);
  if (const auto index = image.Dynamic(DT_RPATH)) facts.run_path = image.Text(*index);
  if (const auto index = image.Dynamic(DT_RUNPATH)) facts.run_path = image.Text(*index);
}

}  // namespace

tl::expected<ElfFacts, Finding> ReadElf(std::span<const std::byte> bytes) {
  tl::expected<ElfImage, Finding> image = ElfImage::Open(bytes);
  if (!image) return tl::unexpected(image.error());
  ElfFacts facts;
  ReadSegmentFacts(*image, facts);
  ReadDynamicFacts(*image, facts);
  ReadElfSymbols(*image, facts);
  if (image->broken()) return tl::unexpected(image->Fault());
  return facts;
}

std::string ReadNotes(std::span<const std::byte> segment, uint64_t align, std::vector<ElfNote>& notes) {
  align = align == 8 ? 8 : 4;
  const uint64_t size = segment.size();
  const char* bytes = reinterpret_cast<const char*>(segment.data());
  uint64_t at = 0;
  while (size - at >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr header;
    std::memcpy(&header, bytes + at, sizeof header);
    const uint64_t name = at + sizeof header;
    const uint64_t desc = AlignUp(name + header.n_namesz, align);
    const uint64_t end = desc + header.n_descsz;
    if (name + header.n_namesz > size || end > size) {
      return "a note at byte " + std::to_string(at) + " of its segment claims a name of " +
             std::to_string(header.n_namesz) + " and a text of " + std::to_string(header.n_descsz) +
             " bytes, but the segment has " + std::to_string(size);
    }
    ElfNote note{std::string(bytes + name, header.n_namesz), header.n_type, std::string(bytes + desc, header.n_descsz)};
    if (!note.name.empty() && note.name.back() == '\0') note.name.pop_back();
    notes.push_back(std::move(note));
    at = std::min(AlignUp(end, align), size);
  }
  return {};
}

std::string BuildIdOf(const std::vector<ElfNote>& notes) {
  for (const ElfNote& note : notes) {
    if (note.name == ELF_NOTE_GNU && note.type == NT_GNU_BUILD_ID) return Hex(note.desc);
  }
  return {};
}

}  // namespace berth::loader
