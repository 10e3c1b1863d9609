#include "os/machine/code_pages.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "os/fd/file_descriptor.h"

namespace berth::os {
namespace {

// Of an entry of /proc/PID/pagemap. Source: Documentation/admin-guide/mm/pagemap.rst.
constexpr uint64_t kPresent = uint64_t{1} << 63;
constexpr uint64_t kOfFile = uint64_t{1} << 61;  // or shared; not set for the process's own copy of a page

class CodePages {
 public:
  CodePages() : pagemap_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}

  bool valid() const { return pagemap_.valid(); }
  // first, last: addresses of pages.
  void Drop(uintptr_t first, uintptr_t last) {
    entries_.resize((last - first) / page_);
    const auto bytes = static_cast<ssize_t>(entries_.size() * sizeof(uint64_t));
    const auto at = static_cast<off_t>(first / page_ * sizeof(uint64_t));
    if (pread(pagemap_.get(), entries_.data(), static_cast<size_t>(bytes), at) != bytes) return;
    for (size_t begin = 0; begin < entries_.size();) {
      size_t end = begin;
      while (end < entries_.size() && IsClean(entries_[end])) ++end;
      if (end > begin) madvise(reinterpret_cast<void*>(first + begin * page_), (end - begin) * page_, MADV_DONTNEED);
      begin = end + 1;
    }
  }
  uintptr_t page() const { return page_; }

 private:
  static bool IsClean(uint64_t entry) { return (entry & kPresent) != 0 && (entry & kOfFile) != 0; }

  const FileDescriptor pagemap_;
  const uintptr_t page_ = static_cast<uintptr_t>(getpagesize());
  std::vector<uint64_t> entries_;
};

// Copies of plugins in memory need it whether they are mapped or not, and the vDSO belongs to the kernel.
bool IsOnDisk(const dl_phdr_info& object) {
  const std::string_view name = object.dlpi_name;
  return !name.starts_with("/proc/") && !name.starts_with("linux-vdso");
}

int DropCode(dl_phdr_info* object, size_t, void* code_pages) {
  if (!IsOnDisk(*object)) return 0;
  CodePages& pages = *static_cast<CodePages*>(code_pages);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
    const uintptr_t begin = object->dlpi_addr + segment.p_vaddr, end = begin + segment.p_filesz;
    const uintptr_t first = (begin + pages.page() - 1) / pages.page() * pages.page();
    const uintptr_t last = end / pages.page() * pages.page();
    if (first < last) pages.Drop(first, last);
  }
  return 0;
}

}  // namespace

void ReleaseCodePages() {
  CodePages pages;
  if (pages.valid()) dl_iterate_phdr(&DropCode, &pages);
}

}  // namespace berth::os
