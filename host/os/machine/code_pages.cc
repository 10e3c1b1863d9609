#include "os/machine/code_pages.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace berth::os {
namespace {

// Whether the dynamic linker has written to segments that are not writable.
bool HasTextRelocations(const dl_phdr_info& object, const ElfW(Phdr) & dynamic) {
  const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + dynamic.p_vaddr);
  for (; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL))) return true;
  }
  return false;
}

// Copies of plugins in memory stay resident for as long as they are mapped, and the vDSO belongs to the kernel.
bool IsOnDisk(const dl_phdr_info& object) {
  const std::string_view name = object.dlpi_name;
  return !name.starts_with("/proc/") && !name.starts_with("linux-vdso");
}

void Unmap(const dl_phdr_info& object, const ElfW(Phdr) & segment) {
  const uintptr_t page = static_cast<uintptr_t>(getpagesize());
  const uintptr_t begin = object.dlpi_addr + segment.p_vaddr, end = begin + segment.p_memsz;
  const uintptr_t first = (begin + page - 1) / page * page, last = end / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

int UnmapCode(dl_phdr_info* object, size_t, void*) {
  if (!IsOnDisk(*object)) return 0;
  const std::span<const ElfW(Phdr)> segments(object->dlpi_phdr, object->dlpi_phnum);
  for (const ElfW(Phdr) & segment : segments) {
    if (segment.p_type == PT_DYNAMIC && HasTextRelocations(*object, segment)) return 0;
  }
  for (const ElfW(Phdr) & segment : segments) {
    if (segment.p_type == PT_LOAD && !(segment.p_flags & PF_W)) Unmap(*object, segment);
  }
  return 0;
}

}  // namespace

void ReleaseCodePages() { dl_iterate_phdr(&UnmapCode, nullptr); }

}  // namespace berth::os
