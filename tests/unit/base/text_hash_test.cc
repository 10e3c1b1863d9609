#include "base/text_hash.h"

#include <gtest/gtest.h>

namespace berth::base {
namespace {

TEST(TextHash, IsSeeded) {
  for (const char* text : {"", "a", "default/web-7c5ddbdf54-2xkqn"}) EXPECT_EQ(TextHash()(text), SeededHash(text));
}

TEST(TextMap, FindsAStringView) {
  const TextMap<int> map = {{"a", 1}, {"b", 2}};
  constexpr std::string_view kText = "abc";
  EXPECT_EQ(map.find(kText.substr(1, 1))->second, 2);
  EXPECT_EQ(map.find(kText), map.end());
}

}  // namespace
}  // namespace berth::base
