// When a series of changes is over, in virtual time.
#include "reload/watch/debounce.h"

#include <gtest/gtest.h>

namespace berth::reload {
namespace {

using std::chrono::milliseconds;

class DebounceTest : public testing::Test {
 protected:
  static Debounce::Time At(int ms) { return Debounce::Time() + milliseconds(ms); }
  Debounce settling_{{.quiet = milliseconds(150), .at_most = milliseconds(2000), .writing = milliseconds(30000)}};
};

TEST_F(DebounceTest, WaitsForAQuietPeriod) {
  EXPECT_FALSE(settling_.waiting());
  settling_.Change(At(1000), true);
  EXPECT_TRUE(settling_.waiting());
  EXPECT_EQ(settling_.Due(false), At(1150));
  settling_.Change(At(1100), true);
  EXPECT_EQ(settling_.Due(false), At(1250));
  settling_.Over();
  EXPECT_FALSE(settling_.waiting());
}

TEST_F(DebounceTest, DoesNotWaitForEverForChangesThatNeverStop) {
  for (int ms = 0; ms <= 1950; ms += 50) settling_.Change(At(ms), true);
  EXPECT_EQ(settling_.Due(false), At(2000));
  settling_.Over();
  settling_.Change(At(2050), true);  // the limit counts from zero
  EXPECT_EQ(settling_.Limit(false), At(4050));
}

TEST_F(DebounceTest, WaitsLongerForWritersThatHaveNotClosed) {
  for (int ms = 0; ms <= 10'000; ms += 1000) settling_.Change(At(ms), true);
  EXPECT_EQ(settling_.Due(true), At(12'000));  // two seconds after the last write
  for (int ms = 11'000; ms <= 29'000; ms += 1000) settling_.Change(At(ms), true);
  EXPECT_EQ(settling_.Due(true), At(30'000));
}

TEST_F(DebounceTest, TakesAFileThatChangesWithoutEventsForHalfWritten) {
  settling_.Change(At(0), false);
  EXPECT_EQ(settling_.Due(false), At(150));
  EXPECT_EQ(settling_.Limit(false), At(30'000));
  settling_.Change(At(100), true);
  settling_.Change(At(200), false);
  EXPECT_EQ(settling_.Limit(false), At(2000));
  settling_.Over();
  settling_.Change(At(3000), false);  // earlier changes no longer count
  EXPECT_EQ(settling_.Limit(false), At(33'000));
}

}  // namespace
}  // namespace berth::reload
