// How many versions of one plugin a process maps. A separate program, because mapped code stays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "plugin/loader/loader.h"
#include "zoo.h"

namespace berth::loader {
namespace {

using testing::HasSubstr;

// The good library with the number of its version appended: another digest, the same code.
std::string Version(const zoo::PrivateFolder& folder, size_t number) {
  const std::string path = folder.Copy("good", "v" + std::to_string(number) + ".so");
  std::ofstream(path, std::ios::binary | std::ios::app) << "version " << number;
  return path;
}

TEST(Generations, AreThirtyTwoOfAPluginAtMost) {
  const zoo::PrivateFolder folder;
  Loader loader;
  for (size_t i = 1; i <= kMostGenerations; ++i) {
    const auto opened = loader.Open(Version(folder, i));
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ((*opened)->generation(), i);
  }
  const auto one_more = loader.Open(Version(folder, 33));
  ASSERT_FALSE(one_more);
  EXPECT_THAT(one_more.error().message, HasSubstr("BP-48: would be version 33 of Good in this process"));
  EXPECT_THAT(one_more.error().message, HasSubstr("restart it"));
  EXPECT_EQ(Mappings().size(), kMostGenerations);

  // A new loader, as for a new policy: it can open mapped libraries again, and another plugin.
  Loader later;
  EXPECT_TRUE(later.Open(folder.File("v1.so")));
  EXPECT_FALSE(later.Open(folder.File("v33.so")));
  EXPECT_TRUE(later.Open(zoo::ZooFile("duplicate_a")));
  EXPECT_EQ(Mappings().size(), kMostGenerations + 1);
}

}  // namespace
}  // namespace berth::loader
