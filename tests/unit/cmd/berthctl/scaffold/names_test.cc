// Names of new plugins: their spelling in each place, and which names are refused.
#include "cmd/berthctl/scaffold/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::scaffold {
namespace {

using ::testing::HasSubstr;

TEST(NamesTest, AreSpelledForEachPlace) {
  const struct {
    const char *plugin, *snake, *camel;
  } cases[] = {{"spareRoom", "spare_room", "SpareRoom"},       {"SpareRoom", "spare_room", "SpareRoom"},
               {"spare-room", "spare_room", "SpareRoom"},      {"NodeCPUScore", "node_cpu_score", "NodeCPUScore"},
               {"my2Disks", "my2_disks", "My2Disks"},          {"a", "a", "A"},
               {"zone-8-first", "zone_8_first", "Zone8First"}, {"CPU", "cpu", "CPU"}};
  for (const auto& one : cases) {
    const auto names = NamesOf(one.plugin, Language::kCpp);
    ASSERT_TRUE(names) << names.error().message;
    EXPECT_EQ(names->plugin, one.plugin);
    EXPECT_EQ(names->snake, one.snake);
    EXPECT_EQ(names->camel, one.camel);
  }
}

TEST(NamesTest, OthersAreRefused) {
  for (const char* name : {"", "two words", "../escape", "9lives", "-x", "x-", "a--b", "a_b", "\xc3\xa4"}) {
    const auto names = NamesOf(name, Language::kRust);
    ASSERT_FALSE(names) << name;
    EXPECT_THAT(names.error().message, HasSubstr("is not a valid plugin name"));
  }
}

TEST(NamesTest, WordsOfTheLanguageAreTaken) {
  const auto taken = [](const char* name, Language language) { return !NamesOf(name, language).has_value(); };
  for (const Language language : {Language::kC, Language::kCpp, Language::kRust}) {
    EXPECT_TRUE(taken("static", language));
    EXPECT_TRUE(taken("test", language));
    EXPECT_TRUE(taken("cycle", language));  // the class would be Cycle
    EXPECT_FALSE(taken("staticRoom", language));
  }
  EXPECT_TRUE(taken("co-await", Language::kCpp));
  EXPECT_FALSE(taken("co-await", Language::kRust));
  EXPECT_TRUE(taken("berthPlugin", Language::kRust));
  EXPECT_FALSE(taken("berthPlugin", Language::kC));
  EXPECT_TRUE(taken("match", Language::kRust));
  EXPECT_TRUE(taken("install", Language::kC));
}

TEST(NamesTest, LanguagesHaveWords) {
  for (const Language language : {Language::kC, Language::kCpp, Language::kRust}) {
    EXPECT_EQ(LanguageOf(WordOf(language)), language);
  }
  EXPECT_FALSE(LanguageOf("go"));
}

}  // namespace
}  // namespace berth::scaffold
