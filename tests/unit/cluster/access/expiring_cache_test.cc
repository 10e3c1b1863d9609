#include "cluster/access/expiring_cache.h"

#include <gtest/gtest.h>

namespace berth::access {
namespace {

struct CacheTest : testing::Test {
  base::VirtualClock clock{0};
  ExpiringCache<int> cache{clock, 3};

  void Put(const std::string& key, int value, int64_t ttl = 10) {
    cache.Put(key, std::make_shared<const int>(value), ttl);
  }
  int At(const std::string& key, int64_t good_for = 0) {
    const auto found = cache.Get(key, good_for);
    return found == nullptr ? -1 : *found;
  }
};

TEST_F(CacheTest, KeepsAValueForItsTime) {
  Put("a", 1);
  clock.Advance(9);
  EXPECT_EQ(At("a"), 1);
  clock.Advance(1);
  EXPECT_EQ(At("a"), -1);
  EXPECT_EQ(cache.size(), 0u);
}

TEST_F(CacheTest, AValueThatExpiresTooSoonIsKeptAndNotReturned) {
  Put("a", 1);
  clock.Advance(5);
  EXPECT_EQ(At("a", 5), -1);
  EXPECT_EQ(At("a", 4), 1);
}

TEST_F(CacheTest, KeepsNothingWithoutATime) {
  Put("a", 1, 0);
  Put("b", 1, -5);
  EXPECT_EQ(cache.size(), 0u);
}

TEST_F(CacheTest, ReplacesAValueAndItsTime) {
  Put("a", 1);
  clock.Advance(9);
  Put("a", 2);
  clock.Advance(9);
  EXPECT_EQ(At("a"), 2);
  EXPECT_EQ(cache.size(), 1u);
}

TEST_F(CacheTest, TheLeastRecentlyUsedMakesRoom) {
  Put("a", 1);
  Put("b", 2);
  Put("c", 3);
  EXPECT_EQ(At("a"), 1);
  Put("d", 4);
  EXPECT_EQ(At("b"), -1);
  EXPECT_EQ(At("a"), 1);
  EXPECT_EQ(At("c"), 3);
  EXPECT_EQ(At("d"), 4);
  EXPECT_EQ(cache.size(), 3u);
}

}  // namespace
}  // namespace berth::access
