#include "base/text.h"

#include <gtest/gtest.h>

namespace berth::base {
namespace {

TEST(Text, GoFormatting) {
  EXPECT_EQ(Join({"a", "b"}, ", "), "a, b");
  EXPECT_EQ(Bracketed({}), "[]");
  EXPECT_EQ(Bracketed({"a", "b"}), "[a b]");
  EXPECT_EQ(Quoted("a\"b\\\n\x01"), "\"a\\\"b\\\\\\n\\x01\"");
}

struct GlobCase {
  const char* pattern;
  const char* name;
  bool matches;
};
class Glob : public testing::TestWithParam<GlobCase> {};
TEST_P(Glob, Matches) { EXPECT_EQ(GlobMatches(GetParam().pattern, GetParam().name), GetParam().matches); }
INSTANTIATE_TEST_SUITE_P(Cases, Glob,
                         testing::Values(GlobCase{"*", "", true}, GlobCase{"a*", "ab", true},
                                         GlobCase{"a*b*c", "axxbyyc", true}, GlobCase{"a*b*c", "axxbyy", false},
                                         GlobCase{"?", "", false}, GlobCase{"n[1-3]", "n2", true},
                                         GlobCase{"n[!1-3]", "n2", false}, GlobCase{"n[!1-3]", "n9", true},
                                         GlobCase{"a\\*", "a*", true}, GlobCase{"a\\*", "ab", false},
                                         GlobCase{"[abc", "a", false}, GlobCase{"", "", true},
                                         GlobCase{"node-*-gpu", "node-1-gpu-gpu", true}, GlobCase{"[]x]", "]", true}));

}  // namespace
}  // namespace berth::base
