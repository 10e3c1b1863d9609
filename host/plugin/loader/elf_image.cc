#include "plugin/loader/elf_image.h"

#include <algorithm>

namespace berth::loader {
namespace {

#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
constexpr const char* kMachineName = "x86-64";
#elif defined(__aarch64__)
constexpr uint16_t kMachine = EM_AARCH64;
constexpr const char* kMachineName = "AArch64";
#else
#error "Berth knows plugins for x86-64 and AArch64"
#endif

// offset + count * size <= limit, without overflow.
bool Fits(uint64_t offset, uint64_t count, uint64_t size, uint64_t limit) {
  return offset <= limit && (size == 0 || count <= (limit - offset) / size);
}

std::string MachineName(uint16_t machine) {
  switch (machine) {
    case EM_386: return "x86 (32 bit)";
    case EM_X86_64: return "x86-64";
    case EM_ARM: return "ARM (32 bit)";
    case EM_AARCH64: return "AArch64";
    case EM_RISCV: return "RISC-V";
    case EM_PPC64: return "POWER";
    case EM_S390: return "S/390";
    default: return "machine number " + std::to_string(machine);
  }
}

std::string TypeName(uint16_t type) {
  switch (type) {
    case ET_REL: return "an object file (ET_REL)";
    case ET_EXEC: return "a program (ET_EXEC)";
    case ET_CORE: return "a core file (ET_CORE)";
    default: return "an ELF file of type " + std::to_string(type);
  }
}

}  // namespace

tl::expected<ElfImage, Finding> ElfImage::Open(std::span<const std::byte> bytes) {
  ElfImage image(bytes);
  if (auto wrong = image.CheckHeader()) return tl::unexpected(std::move(*wrong));
  if (auto wrong = image.ReadSegments()) return tl::unexpected(std::move(*wrong));
  image.ReadDynamic();
  if (image.broken()) return tl::unexpected(image.Fault());
  constexpr uint64_t kPie = DF_1_PIE;
  const bool has_interpreter = std::any_of(image.segments_.begin(), image.segments_.end(),
                                           [](const Elf64_Phdr& segment) { return segment.p_type == PT_INTERP; });
  if (has_interpreter || (image.Dynamic(DT_FLAGS_1).value_or(0) & kPie) != 0) {
    return tl::unexpected(Finding{Rule::kSharedObject, "is a program (position-independent), not a shared object"});
  }
  return image;
}

std::optional<Finding> ElfImage::CheckHeader() {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes_[i]); };
  if (bytes_.size() < SELFMAG || std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0) {
    return Finding{Rule::kElf, "is not an ELF file"};
  }
  if (bytes_.size() < EI_NIDENT) return Finding{Rule::kComplete, "is cut off within the ELF header"};
  if (byte(EI_CLASS) != ELFCLASS64) return Finding{Rule::kElf, "is not a 64-bit ELF file"};
  if (byte(EI_DATA) != ELFDATA2LSB) return Finding{Rule::kElf, "is not a little-endian ELF file"};
  if (bytes_.size() < sizeof header_) return Finding{Rule::kComplete, "is cut off within the ELF header"};
  header_ = At<Elf64_Ehdr>(0);
  if (header_.e_machine != kMachine) {
    return Finding{Rule::kElf, "is for " + MachineName(header_.e_machine) + ", this host is " + kMachineName};
  }
  if (header_.e_type != ET_DYN) {
    return Finding{Rule::kSharedObject, "is " + TypeName(header_.e_type) + ", not a shared object"};
  }
  return std::nullopt;
}

std::optional<Finding> ElfImage::ReadSegments() {
  const uint64_t size = bytes_.size();
  if (header_.e_phentsize != sizeof(Elf64_Phdr) || !Fits(header_.e_phoff, header_.e_phnum, sizeof(Elf64_Phdr), size)) {
    return Finding{Rule::kComplete, "is damaged or cut off: its program headers lie outside the file"};
  }
  uint64_t end = 0;
  for (uint64_t i = 0; i < header_.e_phnum; ++i) {
    const auto segment = At<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr));
    if (!Fits(segment.p_offset, 1, segment.p_filesz, UINT64_MAX)) end = UINT64_MAX;
    if (segment.p_type != PT_GNU_STACK) end = std::max(end, segment.p_offset + segment.p_filesz);
    segments_.push_back(segment);
  }
  if (header_.e_shoff != 0 && header_.e_shnum != 0) {
    const bool fits = Fits(header_.e_shoff, header_.e_shnum, header_.e_shentsize, UINT64_MAX);
    end = std::max(end, fits ? header_.e_shoff + uint64_t{header_.e_shnum} * header_.e_shentsize : UINT64_MAX);
  }
  if (end > size) {
    return Finding{Rule::kComplete, "is damaged or cut off: its headers speak of " + std::to_string(end) +
                                        " bytes, the file has " + std::to_string(size)};
  }
  return std::nullopt;
}

void ElfImage::ReadDynamic() {
  const auto found =
      std::find_if(segments_.begin(), segments_.end(), [](const Elf64_Phdr& s) { return s.p_type == PT_DYNAMIC; });
  if (found == segments_.end()) {
    fault_ = "is damaged: it has no dynamic section";
    return;
  }
  for (uint64_t at = 0; Fits(at, 1, sizeof(Elf64_Dyn), found->p_filesz); at += sizeof(Elf64_Dyn)) {
    const auto entry = At<Elf64_Dyn>(found->p_offset + at);
    if (entry.d_tag == DT_NULL) return;
    dynamic_.push_back(entry);
  }
  fault_ = "is damaged: its dynamic section has no end";
}

std::span<const std::byte> ElfImage::FileBytes(const Elf64_Phdr& segment) const {
  return bytes_.subspan(segment.p_offset, segment.p_filesz);  // ReadSegments saw that it fits
}

std::optional<uint64_t> ElfImage::Dynamic(int64_t tag) const {
  std::optional<uint64_t> value;
  for (const Elf64_Dyn& entry : dynamic_) {
    if (entry.d_tag == tag) value = entry.d_un.d_val;
  }
  return value;
}

std::vector<uint64_t> ElfImage::AllDynamic(int64_t tag) const {
  std::vector<uint64_t> values;
  for (const Elf64_Dyn& entry : dynamic_) {
    if (entry.d_tag == tag) values.push_back(entry.d_un.d_val);
  }
  return values;
}

std::optional<uint64_t> ElfImage::OffsetOf(uint64_t address, uint64_t length) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const uint64_t within = address - segment.p_vaddr;
    if (Fits(within, 1, length, segment.p_filesz)) return segment.p_offset + within;
  }
  return std::nullopt;
}

std::string ElfImage::Text(uint64_t index) {
  constexpr const char* kWhat = "the string table";
  const uint64_t table = Dynamic(DT_STRTAB).value_or(0), size = Dynamic(DT_STRSZ).value_or(0);
  const std::optional<uint64_t> offset = OffsetOf(table, size);
  if (broken() || !offset || index >= size) {
    Fail(kWhat);
    return {};
  }
  const char* start = reinterpret_cast<const char*>(bytes_.data() + *offset + index);
  const void* end = std::memchr(start, 0, size - index);
  const size_t length = end == nullptr ? 0 : static_cast<const char*>(end) - start;
  if (end == nullptr || length > text_budget_) {
    Fail(kWhat);
    return {};
  }
  text_budget_ -= length;
  return {start, length};
}

void ElfImage::Fail(const char* what) {
  if (fault_.empty()) fault_ = std::string("is damaged: ") + what + " reaches outside the file or does not end";
}

}  // namespace berth::loader
