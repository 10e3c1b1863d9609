#include "os/machine/code_pages.h"

#include <gtest/gtest.h>
#include <link.h>
#include <unistd.h>

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

// Reads each page of the code of this program and of its libraries.
uint64_t TouchCode() {
  uint64_t sum = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* out) {
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& segment = object->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W)) continue;
          const auto* bytes = reinterpret_cast<const unsigned char*>(object->dlpi_addr + segment.p_vaddr);
          for (size_t at = 0; at < segment.p_memsz; at += 1024) *static_cast<uint64_t*>(out) += bytes[at];
        }
        return 0;
      },
      &sum);
  return sum;
}

struct Shape {
  virtual ~Shape() = default;
  virtual int Corners() const = 0;
};
struct Square final : Shape {
  int Corners() const override { return 4; }
};

int changed_at_run_time = 1;
const char* const relocated[] = {"relocated", "by the dynamic linker"};

TEST(CodePages, AreNotResidentAfterTheirRelease) {
  TouchCode();
  const uint64_t before = RssFileKb();
  ReleaseCodePages();
  EXPECT_LT(RssFileKb(), before / 2);
}

TEST(CodePages, ContainTheSameAfterTheirRelease) {
  const uint64_t sum = TouchCode();
  ReleaseCodePages();
  EXPECT_EQ(TouchCode(), sum);
}

TEST(CodePages, ReleaseKeepsWhatTheProcessHasWritten) {
  changed_at_run_time = 2;
  const std::unique_ptr<const Shape> shape = std::make_unique<Square>();
  ReleaseCodePages();
  EXPECT_EQ(changed_at_run_time, 2);
  EXPECT_STREQ(relocated[1], "by the dynamic linker");
  EXPECT_EQ(shape->Corners(), 4);  // through a relocated table
}

}  // namespace
}  // namespace berth::os
