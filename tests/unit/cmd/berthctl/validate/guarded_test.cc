// Memory with guard pages: code may use the bytes inside, but not the neighboring ones.
#include "cmd/berthctl/validate/guarded.h"

#include <gtest/gtest.h>

#include <cstring>

#include "cmd/berthctl/validate/process_state.h"

namespace berth::validate {
namespace {

TEST(Guarded, GivesEveryByteAndNoMore) {
  for (const size_t bytes : {size_t{1}, size_t{8}, size_t{4096}, size_t{5000}}) {
    for (const auto side : {Guarded::Side::kEnd, Guarded::Side::kFront}) {
      const Guarded memory(bytes, side);
      std::memset(memory.data(), 1, bytes);
      EXPECT_EQ(memory.as<char>()[bytes - 1], 1);
    }
  }
}

TEST(GuardedDeathTest, WallsAreFelt) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const Guarded at_end(16), at_front(16, Guarded::Side::kFront), nothing(0);
  EXPECT_DEATH(*const_cast<volatile char*>(at_end.as<char>() + 16) = 1, "");
  EXPECT_DEATH(*const_cast<volatile char*>(at_front.as<char>() - 1) = 1, "");
  EXPECT_DEATH(*const_cast<volatile char*>(nothing.as<char>()) = 1, "");
  Guarded sealed(16);
  sealed.Seal();
  EXPECT_EQ(sealed.as<char>()[0], 0);
  EXPECT_DEATH(*const_cast<volatile char*>(sealed.as<char>()) = 1, "");
}

TEST(ProcessState, TellsWhatHasChanged) {
  const ProcessState before = ProcessState::Now();
  EXPECT_TRUE(ProcessState::Now().ChangesSince(before).empty());
  ASSERT_EQ(setenv("BERTH_PROCESS_STATE_TEST", "here", 1), 0);
  const auto changes = ProcessState::Now().ChangesSince(before);
  ASSERT_EQ(unsetenv("BERTH_PROCESS_STATE_TEST"), 0);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0], "the environment's BERTH_PROCESS_STATE_TEST was not there, is =here");
}

}  // namespace
}  // namespace berth::validate
