#include "telemetry/log/vmodule.h"

#include <gtest/gtest.h>

namespace berth::log {
namespace {

TEST(BaseName, LeavesOutDirectories) {
  EXPECT_EQ(BaseName("/src/engine/engine.cc"), "engine.cc");
  EXPECT_EQ(BaseName("engine.cc"), "engine.cc");
  EXPECT_EQ(BaseName("engine/"), "");
}

TEST(VModule, TheFirstPatternThatMatchesCounts) {
  const auto module = VModule::Parse("engine=4,plug*=5,plugin=9,,zero=0,");
  ASSERT_TRUE(module);
  EXPECT_EQ(module->LevelOf("/a/b/engine.cc"), 4);
  EXPECT_EQ(module->LevelOf("engine.rs"), 4);
  EXPECT_EQ(module->LevelOf("plugin.cc"), 5);
  EXPECT_EQ(module->LevelOf("zero.cc"), 0);
  EXPECT_EQ(module->LevelOf("other.cc"), 0);
  EXPECT_FALSE(module->empty());
}

TEST(VModule, AnEmptySettingIsValid) {
  const auto module = VModule::Parse("");
  ASSERT_TRUE(module);
  EXPECT_TRUE(module->empty());
}

TEST(VModule, RefusesInvalidLists) {
  const std::string expected = ": expected a comma-separated list of filename=N";
  for (const char* bad : {"engine", "=3", "engine=", "engine=x", "engine=1=2", "engine=4 ", "engine=99999999999"}) {
    const auto module = VModule::Parse(bad);
    ASSERT_FALSE(module) << bad;
    EXPECT_EQ(module.error().message, "vmodule: \"" + std::string(bad) + "\"" + expected);
  }
  const auto negative = VModule::Parse("a=1,engine=-1");
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().message, "vmodule: \"engine=-1\": the level is negative");
}

}  // namespace
}  // namespace berth::log
