#include "base/hash_index.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"

namespace berth::base {
namespace {

uint32_t FindNumber(const HashIndex& index, uint32_t hash, uint32_t number) {
  return index.Find(hash, [number](uint32_t other) { return other == number; });
}

uint32_t TakeNumber(HashIndex& index, uint32_t hash, uint32_t number) {
  return index.Take(hash, [number](uint32_t other) { return other == number; });
}

TEST(HashIndex, AnEmptyIndexHasNothing) {
  HashIndex index;
  EXPECT_EQ(FindNumber(index, 1, 1), HashIndex::kNone);
  EXPECT_EQ(TakeNumber(index, 1, 1), HashIndex::kNone);
  EXPECT_EQ(index.size(), 0U);
}

TEST(HashIndex, KeepsSeveralNumbersOfOneHash) {
  HashIndex index;
  for (uint32_t number = 0; number < 100; ++number) index.Insert(7, number);
  for (uint32_t number = 0; number < 100; number += 2) EXPECT_EQ(TakeNumber(index, 7, number), number);
  for (uint32_t number = 0; number < 100; ++number) {
    EXPECT_EQ(FindNumber(index, 7, number), number % 2 == 0 ? HashIndex::kNone : number);
  }
  EXPECT_EQ(index.size(), 50U);
}

// Hashes with few different low bits, so that runs of slots wrap around and close gaps.
TEST(HashIndex, AgreesWithAMapOverManyInsertionsAndRemovals) {
  HashIndex index;
  std::map<uint32_t, uint32_t> model;  // number: hash
  Random random(5);
  for (int step = 0; step < 50'000; ++step) {
    const uint32_t number = static_cast<uint32_t>(random.Below(400)), hash = ~(number % 37) * 4096 - number % 5;
    const auto at = model.find(number);
    ASSERT_EQ(FindNumber(index, hash, number), at == model.end() ? HashIndex::kNone : number);
    if (at == model.end()) {
      index.Insert(hash, number);
      model[number] = hash;
    } else {
      ASSERT_EQ(TakeNumber(index, hash, number), number);
      model.erase(at);
    }
    ASSERT_EQ(index.size(), model.size());
  }
  for (const auto& [number, hash] : model) EXPECT_EQ(FindNumber(index, hash, number), number);
}

}  // namespace
}  // namespace berth::base
