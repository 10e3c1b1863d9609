#include "crash/reexec/restarts.h"

#include <gtest/gtest.h>

#include "crash/record/state_dir.h"

namespace berth::crash {
namespace {

TEST(Restarts, ThreeInTenMinutes) {
  EXPECT_TRUE(Restarts::Read("").Allows(1000));
  EXPECT_TRUE(Restarts::Read("900\n950\n").Allows(1000));
  EXPECT_FALSE(Restarts::Read("900\n950\n999\n").Allows(1000));
  EXPECT_FALSE(Restarts::Read("900\n950\n999\n").Allows(1499));
  EXPECT_TRUE(Restarts::Read("900\n950\n999\n").Allows(1500));  // the first is ten minutes ago
}

TEST(Restarts, OnlyTheLastOnesCount) {
  EXPECT_TRUE(Restarts::Read("1\n2\n3\n4\n5\n6\n").Allows(1000));
  EXPECT_FALSE(Restarts::Read("1\n2\n3\n998\n999\n1000\n").Allows(1000));
}

TEST(Restarts, InvalidLinesAreIgnored) {
  EXPECT_TRUE(Restarts::Read("900\nnine\n950x\n\n951").Allows(1000));
  EXPECT_FALSE(Restarts::Read("900\nnine\n950\n951").Allows(1000));
}

TEST(Restarts, FutureTimesDoNotCount) { EXPECT_TRUE(Restarts::Read("2000\n2001\n2002\n").Allows(1000)); }

TEST(Restarts, AppendedLinesAreRead) {
  const auto place = StateDir::Open("", nullptr);
  ASSERT_TRUE(place);
  for (const int64_t time : {900, 950, 999}) Restarts::Append(place->fd(File::kRestarts), time);
  const std::string text = ReadText(place->path(File::kRestarts));
  EXPECT_EQ(text, "900\n950\n999\n");
  EXPECT_FALSE(Restarts::Read(text).Allows(1000));
}

}  // namespace
}  // namespace berth::crash
