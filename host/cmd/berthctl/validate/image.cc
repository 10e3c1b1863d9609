#include "cmd/berthctl/validate/image.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <string>

namespace berth::validate {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kSlots[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_64};
#elif defined(__aarch64__)
constexpr uint32_t kSlots[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_ABS64};
#else
#error "which relocations hold the address of a function?"
#endif

bool IsSlot(const ElfW(Rela) & relocation) {
  for (const uint32_t type : kSlots) {
    if (ELF64_R_TYPE(relocation.r_info) == type) return relocation.r_addend == 0;
  }
  return false;
}

using Wanted = std::function<bool(const dl_phdr_info&)>;

std::optional<dl_phdr_info> FindInfo(Wanted wanted) {
  struct Search {
    Wanted wanted;
    std::optional<dl_phdr_info> found;
  } search{std::move(wanted), {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* arg) {
        auto& self = *static_cast<Search*>(arg);
        if (!self.wanted(*info)) return 0;
        self.found = *info;
        return 1;
      },
      &search);
  return search.found;
}

bool Contains(uintptr_t base, const ElfW(Phdr) & header, uintptr_t address) {
  return address >= base + header.p_vaddr && address < base + header.p_vaddr + header.p_memsz;
}

}  // namespace

Image::Image(const dl_phdr_info& info)
    : base_(info.dlpi_addr), headers_(info.dlpi_phdr, info.dlpi_phdr + info.dlpi_phnum) {}

std::optional<Image> Image::At(const void* address) {
  const auto info = FindInfo([address](const dl_phdr_info& one) { return Image(one).Holds(address); });
  return info ? std::optional(Image(*info)) : std::nullopt;
}

std::optional<Image> Image::Named(std::string_view file_name) {
  const auto info = FindInfo([file_name](const dl_phdr_info& one) {
    const std::string_view path = one.dlpi_name;
    return path.substr(path.rfind('/') + 1).starts_with(file_name);
  });
  return info ? std::optional(Image(*info)) : std::nullopt;
}

bool Image::Holds(const void* address) const {
  for (const ElfW(Phdr) & header : headers_) {
    if (header.p_type == PT_LOAD && Contains(base_, header, reinterpret_cast<uintptr_t>(address))) return true;
  }
  return false;
}

const ElfW(Phdr) * Image::Find(uint32_t type) const {
  for (const ElfW(Phdr) & header : headers_) {
    if (header.p_type == type) return &header;
  }
  return nullptr;
}

uint64_t Image::Number(int64_t tag) const {
  const ElfW(Phdr)* dynamic = Find(PT_DYNAMIC);
  if (dynamic == nullptr) return 0;
  for (const auto* at = reinterpret_cast<const ElfW(Dyn)*>(base_ + dynamic->p_vaddr); at->d_tag != DT_NULL; ++at) {
    if (at->d_tag == tag) return at->d_un.d_val;
  }
  return 0;
}

// glibc replaces the file's offsets by addresses, unless the section is read-only.
uintptr_t Image::Pointer(int64_t tag) const {
  const uint64_t value = Number(tag);
  return value == 0 || value >= base_ ? value : base_ + value;
}

int Image::Redirect(std::string_view import, void* function) const {
  return RedirectIn(Pointer(DT_JMPREL), Number(DT_PLTRELSZ), import, function) +
         RedirectIn(Pointer(DT_RELA), Number(DT_RELASZ), import, function);
}

int Image::RedirectIn(uintptr_t relocations, uint64_t bytes, std::string_view import, void* function) const {
  const auto* symbols = reinterpret_cast<const ElfW(Sym)*>(Pointer(DT_SYMTAB));
  const auto* names = reinterpret_cast<const char*>(Pointer(DT_STRTAB));
  const auto* at = reinterpret_cast<const ElfW(Rela)*>(relocations);
  if (at == nullptr || symbols == nullptr || names == nullptr) return 0;
  int redirected = 0;
  for (const auto* end = at + bytes / sizeof(*at); at != end; ++at) {
    if (!IsSlot(*at) || import != names + symbols[ELF64_R_SYM(at->r_info)].st_name) continue;
    Store(base_ + at->r_offset, function);
    ++redirected;
  }
  return redirected;
}

// Some of the slots are read-only (RELRO).
void Image::Store(uintptr_t slot, void* function) const {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  auto* const at = reinterpret_cast<void*>(slot / page * page);
  const ElfW(Phdr)* sealed = Find(PT_GNU_RELRO);
  mprotect(at, page, PROT_READ | PROT_WRITE);
  std::memcpy(reinterpret_cast<void*>(slot), &function, sizeof function);
  if (sealed != nullptr && Contains(base_, *sealed, slot)) mprotect(at, page, PROT_READ);
}

}  // namespace berth::validate
