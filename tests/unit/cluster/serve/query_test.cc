#include "cluster/serve/query.h"

#include <gtest/gtest.h>

namespace berth::serve {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(ParseQuery, ReadsPairsInOrder) {
  EXPECT_EQ(ParseQuery("a=1&b&a=%20x+y&c=d=e&=f"),
            (Pairs{{"a", "1"}, {"b", ""}, {"a", " x y"}, {"c", "d=e"}, {"", "f"}}));
  EXPECT_EQ(ParseQuery(""), Pairs{});
  EXPECT_EQ(ParseQuery("&&"), Pairs{});
}

TEST(ParseQuery, SkipsInvalidPairs) { EXPECT_EQ(ParseQuery("a=%2&b=%zz&c=%&d;e=1&%4=1&f=%41"), (Pairs{{"f", "A"}})); }

TEST(DecodePath, DecodesPercentEncoding) {
  EXPECT_EQ(DecodePath("/readyz/a%2Db+c"), "/readyz/a-b+c");
  EXPECT_EQ(DecodePath("/readyz/%2"), "/readyz/%2");
}

}  // namespace
}  // namespace berth::serve
