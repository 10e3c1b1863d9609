#include "scheduler/framework/kept_entries.h"

#include <gtest/gtest.h>

namespace berth::framework {
namespace {

class KeptTest : public testing::Test {
 protected:
  // Whether the results of the pod with this priority were still there. They are afterwards.
  bool Had(int32_t priority) {
    berth_pod pod = pod_->abi;
    pod.priority = priority;
    KeptEntry& entry = kept_.Get(pod, BERTH_POD_PRIORITY);
    return !std::exchange(entry.fresh, false);
  }

  // Pods of kEntries kinds, two of each: every kind has an entry afterwards.
  void Fill() {
    for (int32_t i = 0; i < kEntries; ++i) {
      Had(i);
      Had(i);
    }
  }

  static constexpr auto kEntries = static_cast<int32_t>(Kept<KeptEntry>::kEntries);
  static constexpr auto kAtOnce = static_cast<int32_t>(Kept<KeptEntry>::kAtOnce);
  api::InternTables intern_;
  api::PodRef pod_ = *api::DecodePod(intern_, "{}");
  Kept<KeptEntry> kept_{intern_};
};

TEST_F(KeptTest, HasTheEntriesOfAsManyPods) {
  Fill();
  for (int32_t i = 0; i < kEntries; ++i) EXPECT_TRUE(Had(i)) << i;
}

TEST_F(KeptTest, TheFirstPodsHaveTheirEntriesAtOnce) {
  for (int32_t i = 0; i < kAtOnce; ++i) EXPECT_FALSE(Had(i));
  for (int32_t i = 0; i < kAtOnce; ++i) EXPECT_TRUE(Had(i)) << i;
}

TEST_F(KeptTest, PodsThatComeOnceTakeNoRoom) {
  for (int32_t i = 0; i < 5 * kEntries; ++i) EXPECT_FALSE(Had(i)) << i;
  EXPECT_EQ(kept_.entries().size(), static_cast<size_t>(kAtOnce) + 1);
  for (int32_t i = 0; i < kAtOnce; ++i) EXPECT_TRUE(Had(i)) << i;
}

TEST_F(KeptTest, APodThatComesAgainTakesRoomThatIsLeft) {
  for (int32_t i = 0; i < kAtOnce; ++i) Had(i);
  EXPECT_FALSE(Had(1000)) << "in the entry for all";
  EXPECT_FALSE(Had(1001)) << "in the same";
  EXPECT_FALSE(Had(1000)) << "in an entry of its own";
  EXPECT_TRUE(Had(1001));
  EXPECT_TRUE(Had(1000));
  EXPECT_EQ(kept_.entries().size(), static_cast<size_t>(kAtOnce) + 2);
}

TEST_F(KeptTest, PodsThatComeOnceDisplaceOneEntryTogether) {
  Fill();
  for (int32_t i = 0; i < 5 * kEntries; ++i) EXPECT_FALSE(Had(1000 + i)) << i;
  for (int32_t i = 1; i < kEntries; ++i) EXPECT_TRUE(Had(i)) << i;
}

TEST_F(KeptTest, APodThatComesAgainDisplacesTheLeastRecentlyUsedEntry) {
  Fill();
  EXPECT_FALSE(Had(1000)) << "in the place of 0";
  EXPECT_FALSE(Had(1001)) << "in the same place";
  EXPECT_FALSE(Had(1000)) << "again, in the place of 1";
  EXPECT_TRUE(Had(1000));
  for (int32_t i = 2; i < kEntries; ++i) EXPECT_TRUE(Had(i)) << i;
  EXPECT_FALSE(Had(1)) << "known, in the place of 1001, which was not used since";
  EXPECT_TRUE(Had(1000));
}

TEST_F(KeptTest, AnEntryThatIsUsedAgainIsNotOneForAll) {
  Fill();
  EXPECT_FALSE(Had(1000)) << "in the place of 0";
  EXPECT_TRUE(Had(1000));
  EXPECT_FALSE(Had(1001)) << "in the place of 1";
  EXPECT_FALSE(Had(1002)) << "in the place of 1001";
  EXPECT_TRUE(Had(1000));
  EXPECT_TRUE(Had(2));
}

TEST_F(KeptTest, APodThatComesAgainMuchLaterDisplacesNoEntry) {
  Fill();
  for (int32_t i = 0; i < 1000; ++i) Had(1000 + i);
  for (int32_t i = 0; i < 800; ++i) EXPECT_FALSE(Had(1000 + i)) << i;
  for (int32_t i = 1; i < kEntries; ++i) EXPECT_TRUE(Had(i)) << i;
}

// The pods of many kinds that come in turn, each again and again.
TEST_F(KeptTest, KindsThatComeInTurnTakeThePlacesOfKindsThatDoNot) {
  Fill();
  for (int32_t round = 0; round < 2; ++round) {
    for (int32_t i = 0; i < kEntries; ++i) Had(1000 + i);
  }
  int32_t had = 0;
  for (int32_t i = 0; i < kEntries; ++i) had += Had(1000 + i) ? 1 : 0;
  EXPECT_EQ(had, kEntries);
}

}  // namespace
}  // namespace berth::framework
