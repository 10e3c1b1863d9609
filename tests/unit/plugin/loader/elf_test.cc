// Truncated files, and files with random bytes: ReadElf never reads outside the bytes.
#include "plugin/loader/elf.h"

#include <gtest/gtest.h>

#include <random>

#include "plugin/loader/inspection.h"
#include "zoo.h"

namespace berth::loader {
namespace {

TEST(Elf, ATruncatedFileIsRefusedOrWhole) {
  const std::vector<std::byte> whole = zoo::ReadBytes(zoo::ZooFile("good"));
  ASSERT_TRUE(InspectBytes("good.so", whole).usable());
  for (size_t length = 0; length < whole.size(); length += length < 1024 ? 1 : 61) {
    const std::vector<std::byte> cut(whole.begin(),
                                     whole.begin() + static_cast<ptrdiff_t>(length));  // ASan sees its end
    const Inspection inspection = InspectBytes("cut.so", cut);
    EXPECT_EQ(inspection.usable(), inspection.Refusal().empty()) << length;
  }
  EXPECT_FALSE(InspectBytes("cut.so", std::span(whole).first(64)).usable());
}

TEST(Elf, RandomBytesNeverCauseAReadOutside) {
  const std::vector<std::byte> whole = zoo::ReadBytes(zoo::ZooFile("good"));
  std::mt19937 random(20261121);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::byte> changed = whole;
    for (uint32_t i = 0, n = 1 + random() % 8; i < n; ++i) {
      // Mostly where headers and the dynamic section are: the first page and the last two.
      const size_t at =
          random() % 3 == 0 ? random() % changed.size() : random() % std::min<size_t>(1024, changed.size());
      changed[at] = static_cast<std::byte>(random());
    }
    const Inspection inspection = InspectBytes("changed.so", changed);
    EXPECT_EQ(inspection.usable(), inspection.Refusal().empty());
  }
}

}  // namespace
}  // namespace berth::loader
