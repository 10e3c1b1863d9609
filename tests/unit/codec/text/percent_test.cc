#include "codec/text/percent.h"

#include <gtest/gtest.h>

namespace berth::text {
namespace {

TEST(Percent, EncodesAllButUnreservedCharacters) {
  std::string out = "/";
  AppendPercentEncoded(out, "a-B.9_~ /%\xC3\xA9");
  EXPECT_EQ(out, "/a-B.9_~%20%2F%25%C3%A9");
}

TEST(Percent, EncodesEveryByteOnRequest) {
  std::string out;
  AppendAllEncoded(out, "..");
  EXPECT_EQ(out, "%2E%2E");
}

TEST(Percent, Decodes) {
  EXPECT_EQ(PercentDecoded("a%2fb%2Fc+"), "a/b/c+");
  for (const char* bad : {"%", "%2", "a%2", "%zz", "%-1", "%%20"}) EXPECT_EQ(PercentDecoded(bad), std::nullopt) << bad;
}

TEST(Percent, DecodesLeniently) { EXPECT_EQ(PercentDecodedLeniently("50%%20%2"), "50% %2"); }

}  // namespace
}  // namespace berth::text
