#include "scheduler/decisions/victim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::decisions {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Victims, AreReadAsTheyWereWritten) {
  const std::vector<Victim> victims{{"ns/a", -5, "NodeResourcesFit", "Insufficient cpu, Insufficient memory"},
                                    {"ns/b", 2'000'000'000, "", ""}};
  EXPECT_EQ(VictimsOf(VictimLines(victims, 1000)), victims);
  EXPECT_THAT(VictimsOf(VictimLines({}, 1000)), IsEmpty());
}

TEST(Victims, AReasonCannotForgeAnotherVictim) {
  const auto read = VictimsOf(VictimLines({{"ns/a", 1, "P", "no\nns/forged\t9\tP\tyes"}}, 1000));
  EXPECT_THAT(read, ElementsAre(Victim{"ns/a", 1, "P", "no ns/forged 9 P yes"}));
}

TEST(Victims, OnlyWholeLinesAreKept) {
  const std::vector<Victim> victims{{"ns/a", 1, "P", "r"}, {"ns/b", 1, "P", "r"}};
  const size_t line = VictimLines({victims[0]}, 1000).size();
  EXPECT_THAT(VictimsOf(VictimLines(victims, 2 * line - 1)), ElementsAre(victims[0]));
  EXPECT_THAT(VictimsOf(VictimLines(victims, 2 * line)), ElementsAre(victims[0], victims[1]));
  EXPECT_THAT(VictimsOf(VictimLines(victims, 3)), IsEmpty());
}

TEST(Victims, ALongReasonIsCut) {
  const auto read = VictimsOf(VictimLines({{"ns/a", 1, "P", std::string(1000, 'x')}}, 2000));
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].reason, std::string(256, 'x'));
}

}  // namespace
}  // namespace berth::decisions
