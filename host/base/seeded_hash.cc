#include "base/seeded_hash.h"

#include <cstring>
#include <random>

namespace berth::base {
namespace {

struct HashSeed {
  uint64_t start, factor;  // factor: odd
};

const HashSeed& TheHashSeed() {
  static const HashSeed seed = [] {
    std::random_device source;
    const auto word = [&] { return uint64_t{source()} << 32 | source(); };
    return HashSeed{word(), word() | 1};
  }();
  return seed;
}

// Each bit of the result depends on every bit of both words.
uint64_t Folded(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace

uint32_t SeededHash(std::string_view text) {
  const HashSeed& seed = TheHashSeed();
  uint64_t state = seed.start ^ text.size();
  uint64_t word = 0;
  for (; text.size() > sizeof word; text.remove_prefix(sizeof word)) {
    std::memcpy(&word, text.data(), sizeof word);
    state = Folded(state ^ word, seed.factor) + seed.start;
  }
  word = 0;
  if (!text.empty()) std::memcpy(&word, text.data(), text.size());
  state = Folded(state ^ word, seed.factor) + seed.start;
  return static_cast<uint32_t>(Folded(state, seed.factor) >> 32);
}

}  // namespace berth::base
