#include "base/seeded_hash.h"

#include <cstring>
#include <random>

namespace berth::base {
namespace {

struct HashSeed {
  uint64_t start, factor;  // factor: odd
};

// The hash uses the first one, a digest both.
const std::array<HashSeed, 2>& HashSeeds() {
  static const std::array<HashSeed, 2> seeds = [] {
    std::random_device source;
    const auto word = [&] { return uint64_t{source()} << 32 | source(); };
    return std::array{HashSeed{word(), word() | 1}, HashSeed{word(), word() | 1}};
  }();
  return seeds;
}

// Each bit of the result depends on every bit of both words.
uint64_t Folded(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

uint64_t Hashed(std::string_view text, const HashSeed& seed) {
  uint64_t state = seed.start ^ text.size();
  uint64_t word = 0;
  for (; text.size() > sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    state = Folded(state ^ word, seed.factor) + seed.start;
  }
  word = 0;
  if (!text.empty()) std::memcpy(&word, text.data(), text.size());
  state = Folded(state ^ word, seed.factor) + seed.start;
  return Folded(state, seed.factor);
}

}  // namespace

uint32_t SeededHash(std::string_view text) { return static_cast<uint32_t>(Hashed(text, HashSeeds()[0]) >> 32); }

TextDigest SeededDigest(std::string_view text) {
  const auto& [first, second] = HashSeeds();
  return {{Hashed(text, first), Hashed(text, second)}};
}

}  // namespace berth::base
