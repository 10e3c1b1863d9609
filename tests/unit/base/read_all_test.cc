#include "base/read_all.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace berth::base {
namespace {

TEST(ReadAllTest, ReadsTextsOfEverySize) {
  constexpr size_t kBlock = size_t{64} << 10;
  for (const size_t size : {size_t{0}, size_t{1}, kBlock - 1, kBlock, kBlock + 1, 5 * kBlock}) {
    std::string text(size, 'x');
    if (size != 0) text.back() = 'y';
    std::istringstream in(text);
    EXPECT_TRUE(ReadAll(in) == text) << size;
    EXPECT_TRUE(in.eof());
    EXPECT_FALSE(in.fail());
  }
}

TEST(ReadAllTest, BeginsWhereTheStreamIs) {
  std::istringstream in("a bc");
  in.ignore(2);
  EXPECT_EQ(ReadAll(in), "bc");
}

TEST(ReadAllTest, LeavesAStreamThatHasFailed) {
  std::ifstream missing("/nonexistent/file");
  EXPECT_EQ(ReadAll(missing), "");
  EXPECT_TRUE(missing.fail());
}

TEST(ReadAllTest, ReportsAReadError) {
  std::ifstream directory("/");
  EXPECT_EQ(ReadAll(directory), "");
  EXPECT_TRUE(directory.bad());
}

}  // namespace
}  // namespace berth::base
