#include "base/seeded_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace berth::base {
namespace {

TEST(SeededHash, DependsOnTheTextOnly) {
  const std::string text = "shop/web-7d4b9c6f5-x2x9k";
  EXPECT_EQ(SeededHash(text), SeededHash(std::string(text)));
  std::set<uint32_t> seen;
  for (size_t n = 0; n <= text.size(); ++n) seen.insert(SeededHash(std::string_view(text).substr(0, n)));
  EXPECT_EQ(seen.size(), text.size() + 1) << "prefixes differ";
  EXPECT_NE(SeededHash(std::string_view("a\0", 2)), SeededHash("a"));
}

TEST(SeededHash, SpreadsNamesThatDifferALittle) {
  constexpr int kNames = 100'000, kBuckets = 1024;
  std::set<uint32_t> seen;
  std::array<int, kBuckets> buckets{};
  for (int i = 0; i < kNames; ++i) {
    const uint32_t hash = SeededHash("default/pod-" + std::to_string(i));
    seen.insert(hash);
    ++buckets[hash % kBuckets];
  }
  EXPECT_GT(seen.size(), static_cast<size_t>(kNames - 20));  // one or two are equal by chance
  EXPECT_LT(*std::max_element(buckets.begin(), buckets.end()), 2 * kNames / kBuckets);
}

TEST(SeededDigest, DiffersForTextsThatDifferALittle) {
  constexpr int kTexts = 100'000;
  std::set<std::array<uint64_t, 2>> seen;
  std::set<uint64_t> first, second;
  for (int i = 0; i < kTexts; ++i) {
    const TextDigest digest = SeededDigest("Ready=True,Heartbeat=" + std::to_string(i));
    seen.insert(digest.words);
    first.insert(digest.words[0]);
    second.insert(digest.words[1]);
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(kTexts));
  EXPECT_EQ(first.size(), static_cast<size_t>(kTexts)) << "each word is a hash of its own";
  EXPECT_EQ(second.size(), static_cast<size_t>(kTexts));
  EXPECT_EQ(SeededDigest("a"), SeededDigest(std::string("a")));
  EXPECT_FALSE(SeededDigest("a") == SeededDigest(std::string_view("a\0", 2)));
  EXPECT_FALSE(SeededDigest("") == TextDigest{});
}

}  // namespace
}  // namespace berth::base
