#include "os/machine/code_pages.h"

#include <gtest/gtest.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <string>

namespace berth::os {
namespace {

uint64_t RssFileKb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssFile:")) return std::stoull(line.substr(8));
  }
  return 0;
}

struct Touched {
  uint64_t sum = 0, kb = 0;
};

// Reads the segment, of which AddressSanitizer forbids parts.
__attribute__((no_sanitize("address"))) void Read(const unsigned char* bytes, size_t size, Touched& touched) {
  for (size_t at = 0; at < size; at += 1024) touched.sum += *static_cast<const volatile unsigned char*>(bytes + at);
  touched.kb += size >> 10;
}

// Reads each page of the code of this program and of its libraries.
Touched TouchCode() {
  Touched touched;
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* out) {
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& segment = object->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W)) continue;
          Read(reinterpret_cast<const unsigned char*>(object->dlpi_addr + segment.p_vaddr), segment.p_filesz,
               *static_cast<Touched*>(out));
        }
        return 0;
      },
      &touched);
  return touched;
}

TEST(CodePages, AreNotResidentAfterTheirRelease) {
  const uint64_t touched = TouchCode().kb;
  const uint64_t before = RssFileKb();
  ReleaseCodePages();
  EXPECT_LT(RssFileKb() + touched / 2, before);
}

TEST(CodePages, ContainTheSameAfterTheirRelease) {
  const uint64_t sum = TouchCode().sum;
  ReleaseCodePages();
  EXPECT_EQ(TouchCode().sum, sum);
}

// Constants on pages of their own, which are in a segment that is not writable.
alignas(65536) extern const volatile char some_constants[65536];
alignas(65536) const volatile char some_constants[65536] = {1, 2, 3};

// As a debugger writes a breakpoint.
TEST(CodePages, StayIfTheProcessHasWrittenToThem) {
  char* const page = const_cast<char*>(some_constants);
  ASSERT_EQ(mprotect(page, sizeof some_constants, PROT_READ | PROT_WRITE), 0) << strerror(errno);
  *static_cast<volatile char*>(page + 1) = 7;
  ASSERT_EQ(mprotect(page, sizeof some_constants, PROT_READ), 0) << strerror(errno);
  ReleaseCodePages();
  EXPECT_EQ(some_constants[0], 1);
  EXPECT_EQ(some_constants[1], 7);
  EXPECT_EQ(some_constants[2], 3);
}

}  // namespace
}  // namespace berth::os
