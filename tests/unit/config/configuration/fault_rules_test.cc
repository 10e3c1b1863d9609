#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config_helpers.h"

namespace berth::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string FaultsConfiguration(const std::string& rest) {
  return "apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n" + rest;
}

TEST(FaultRules, ACallHangsAfterTwoSecondsOrTwiceItsDeadline) {
  EXPECT_EQ(LoadText(FaultsConfiguration("")).berth.faults.hang_after, std::chrono::seconds(2));
  EXPECT_EQ(LoadText(FaultsConfiguration("faults: {callDeadline: 100ms}\n")).berth.faults.hang_after,
            std::chrono::seconds(2));
  EXPECT_EQ(LoadText(FaultsConfiguration("faults: {callDeadline: 3s}\n")).berth.faults.hang_after,
            std::chrono::seconds(6));
  EXPECT_EQ(LoadText(FaultsConfiguration("faults: {callDeadline: 3s, hangAfter: 4s}\n")).berth.faults.hang_after,
            std::chrono::seconds(4));
}

TEST(FaultRules, ADeadlineMustBeMissedBeforeACallHangs) {
  EXPECT_THAT(ErrorsOf(FaultsConfiguration("faults: {callDeadline: 3s, hangAfter: 3s}\n")),
              ElementsAre("f.yaml:3:39: faults.hangAfter: Invalid value: \"3s\": must be greater than "
                          "faults.callDeadline"));
}

TEST(FaultRules, PluginsMayBeOptional) {
  const LoadResult r = LoadText(
      FaultsConfiguration("plugins:\n- {name: A, library: a.so, optional: true}\n- {name: B, library: b.so}\n"));
  ASSERT_THAT(r.errors, IsEmpty());
  EXPECT_TRUE(r.berth.plugins[0].optional);
  EXPECT_FALSE(r.berth.plugins[1].optional);
}

}  // namespace
}  // namespace berth::config
