#include "recovery/quarantine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "recovery/place.h"

namespace berth::recovery {
namespace {

using testing::HasSubstr;

const std::string kOne(64, '1'), kTwo(64, '2');

struct AQuarantine : testing::Test {
  std::string directory = [] {
    std::string pattern = testing::TempDir() + "/quarantine-XXXXXX";
    return std::string(mkdtemp(pattern.data()));
  }();
  Quarantine quarantine{directory + "/quarantine"};
  ~AQuarantine() override { std::filesystem::remove_all(directory); }
};

TEST_F(AQuarantine, IsEmptyWithoutAFile) {
  EXPECT_TRUE(quarantine.Entries().empty());
  EXPECT_EQ(quarantine.Why(kOne, "A", "p"), std::nullopt);
}

TEST_F(AQuarantine, KeepsWholeLibrariesAndSinglePlugins) {
  EXPECT_TRUE(quarantine.Add({kOne, 0, "*", "*", "signal 11"}));
  EXPECT_TRUE(quarantine.Add({kTwo, 86400, "p", "A", "failed\n3 times"}));
  EXPECT_EQ(quarantine.Why(kOne, "A", "p"), "is in quarantine since 1970-01-01T00:00:00Z: signal 11");
  EXPECT_EQ(quarantine.Why(kOne, "*", "*"), "is in quarantine since 1970-01-01T00:00:00Z: signal 11");
  EXPECT_EQ(quarantine.Why(kTwo, "A", "p"), "is in quarantine since 1970-01-02T00:00:00Z: failed 3 times");
  EXPECT_EQ(quarantine.Why(kTwo, "A", "q"), std::nullopt);
  EXPECT_EQ(quarantine.Why(kTwo, "B", "p"), std::nullopt);
  EXPECT_EQ(quarantine.Why(kTwo, "*", "*"), std::nullopt);  // others may use that library
}

TEST_F(AQuarantine, HasNothingTwice) {
  quarantine.Add({kOne, 0, "*", "*", "first"});
  EXPECT_TRUE(quarantine.Add({kOne, 5, "p", "A", "second"}));  // that is in it already
  ASSERT_EQ(quarantine.Entries().size(), 1u);
  EXPECT_EQ(quarantine.Entries().front().reason, "first");
}

TEST_F(AQuarantine, Pardons) {
  quarantine.Add({kOne, 0, "p", "A", "x"});
  quarantine.Add({kTwo, 0, "*", "*", "y"});
  quarantine.Add({kOne, 0, "q", "A", "z"});
  EXPECT_EQ(quarantine.Remove(kOne), 2u);
  EXPECT_EQ(quarantine.Remove(kOne), 0u);
  EXPECT_EQ(quarantine.Why(kOne, "A", "p"), std::nullopt);
  EXPECT_THAT(quarantine.Why(kTwo, "A", "p").value_or(""), HasSubstr("y"));
}

TEST_F(AQuarantine, LinesOfOthersArePassedOver) {
  std::ofstream(quarantine.path()) << "# a note\n\n"
                                   << kOne << "\n"
                                   << kOne << " x * * r\nzz 1 * * r\n"
                                   << kTwo << " 1 * * r";
  ASSERT_EQ(quarantine.Entries().size(), 1u);
  EXPECT_EQ(quarantine.Entries().front().sha256, kTwo);
}

TEST_F(AQuarantine, OfMemoryIsSharedByThoseThatKnowThePath) {
  const auto place = Place::Open("", nullptr);
  ASSERT_TRUE(place);
  const Quarantine one(place->path(File::kQuarantine)), other(place->path(File::kQuarantine));
  EXPECT_TRUE(one.Add({kOne, 0, "*", "*", "x"}));
  EXPECT_TRUE(other.Why(kOne, "A", "p"));
}

TEST_F(AQuarantine, ThatCannotBeWrittenSaysSo) {
  const Quarantine nowhere(directory + "/none/quarantine");
  EXPECT_FALSE(nowhere.Add({kOne, 0, "*", "*", "x"}));
}

}  // namespace
}  // namespace berth::recovery
