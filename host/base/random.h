// A small pseudo-random generator (splitmix64): equal seeds give equal sequences on every machine. Not for secrets.
// Thread: one owner at a time.
#pragma once

#include <cstdint>
#include <string_view>

namespace berth::base {

// Mixes one word; also the way to derive a seed from a seed and a number.
constexpr uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr uint64_t MixText(uint64_t seed, std::string_view text) {
  for (char c : text) seed = Mix(seed ^ static_cast<unsigned char>(c));
  return seed;
}

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() { return Mix(state_++); }
  // Uniform in [0, n); n > 0. Lemire's multiply-and-reject method, so all values are equally likely.
  uint64_t Below(uint64_t n) {
    while (true) {
      const unsigned __int128 product = static_cast<unsigned __int128>(Next()) * n;
      const uint64_t low = static_cast<uint64_t>(product);
      if (low >= n || low >= (0 - n) % n) return static_cast<uint64_t>(product >> 64);
    }
  }

 private:
  uint64_t state_;
};

}  // namespace berth::base
